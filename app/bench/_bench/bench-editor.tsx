"use client";

import dynamic from "next/dynamic";
import type { BenchQuery } from "./read-query";

/** Made in the browser only: the server has no part in what is measured. */
const LargeEditor = dynamic(() => import("./large-editor"), { ssr: false });

export function BenchEditor(props: { query: BenchQuery; text: boolean }) {
  return <LargeEditor {...props} />;
}
