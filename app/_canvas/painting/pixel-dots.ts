/** Where boxes share a pixel, the one that covers more of it wins. */
export class PixelBuffer {
  /** Red in the lowest byte, then green, blue and opacity, as `ImageData` has them. */
  readonly data: Uint32Array;

  constructor(
    readonly width: number,
    readonly height: number,
    buffer: ArrayBufferLike = new ArrayBuffer(4 * width * height),
  ) {
    this.data = new Uint32Array(buffer);
  }

  /** Partly covered pixels get that part of the opacity. `color`: the three lower bytes. */
  fill(color: number, x: number, y: number, width: number, height: number): void {
    const [right, bottom] = [x + width, y + height];
    const [firstColumn, firstRow] = [Math.max(0, Math.floor(x)), Math.max(0, Math.floor(y))];
    const [columns, rows] = [Math.min(this.width, Math.ceil(right)), Math.min(this.height, Math.ceil(bottom))];
    const bare = color & 0xffffff;
    for (let row = firstRow; row < rows; row++) {
      const high = Math.min(row + 1, bottom) - Math.max(row, y);
      for (let column = firstColumn; column < columns; column++) {
        const wide = Math.min(column + 1, right) - Math.max(column, x);
        const opacity = Math.round(255 * high * wide);
        const index = row * this.width + column;
        if (opacity > (this.data[index] ?? 0) >>> 24) this.data[index] = (opacity << 24) | bare;
      }
    }
  }
}

export type CoverBox = (color: string, x: number, y: number, width: number, height: number) => void;

/** Without a graphics processor, 20,000 canvas rectangles take three times as long as their pixels. */
export class PixelDots {
  readonly #canvas = document.createElement("canvas");
  readonly #context = this.#canvas.getContext("2d", { willReadFrequently: true });
  readonly #known = new Map<string, number>();
  #image: ImageData | null = null;
  #pixels = new PixelBuffer(0, 0);

  /** One unit of `paint` is `scale` pixels. */
  draw(target: CanvasRenderingContext2D, scale: number, paint: (cover: CoverBox) => void): void {
    const { width, height } = target.canvas;
    if (!this.#context || width === 0 || height === 0) return;
    const image = this.#fit(this.#context, width, height);
    this.#pixels.data.fill(0);
    paint((color, x, y, boxWidth, boxHeight) => {
      this.#pixels.fill(this.#toPixel(color), x * scale, y * scale, boxWidth * scale, boxHeight * scale);
    });
    this.#context.putImageData(image, 0, 0);
    target.drawImage(this.#canvas, 0, 0, width / scale, height / scale);
  }

  #fit(context: CanvasRenderingContext2D, width: number, height: number): ImageData {
    if (this.#image?.width === width && this.#image.height === height) return this.#image;
    [this.#canvas.width, this.#canvas.height] = [width, height];
    const image = context.createImageData(width, height);
    this.#pixels = new PixelBuffer(width, height, image.data.buffer);
    this.#image = image;
    return image;
  }

  /** The canvas itself parses CSS colours. */
  #toPixel(color: string): number {
    const cachedPixel = this.#known.get(color);
    if (cachedPixel !== undefined || !this.#context) return cachedPixel ?? 0;
    this.#context.fillStyle = color;
    this.#context.fillRect(0, 0, 1, 1);
    const [pixel = 0] = new Uint32Array(this.#context.getImageData(0, 0, 1, 1).data.buffer);
    this.#known.set(color, pixel);
    return pixel;
  }
}
