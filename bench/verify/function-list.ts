import type { Program } from './generate.ts'
export const functions: readonly Program[] = []
