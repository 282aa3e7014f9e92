import process from 'node:process'
import type { Machine } from './kit-manifest.ts'

/** This machine, as kits see it. */
export function readMachine(): Machine {
  const { platform, arch } = process
  const report =
    platform === 'linux' ? (process.report?.getReport() as unknown as NodeReport | undefined) : undefined
  return { platform, arch, glibc: report?.header?.glibcVersionRuntime }
}

interface NodeReport {
  readonly header?: { readonly glibcVersionRuntime?: string }
}
