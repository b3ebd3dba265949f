"use client";

import dynamic from "next/dynamic";
import type { BenchQuery } from "./read-query";

const LargeEditor = dynamic(() => import("./large-editor"), { ssr: false });

export function BenchEditor(props: { query: BenchQuery; text: boolean }) {
  return <LargeEditor {...props} />;
}
