import process from 'node:process'
import type { Here } from './manifest.ts'

/** This machine, as kits see it. */
export function here(): Here {
  const { platform, arch } = process
  const report =
    platform === 'linux' ? (process.report?.getReport() as unknown as Report | undefined) : undefined
  return { platform, arch, glibc: report?.header?.glibcVersionRuntime }
}

interface Report {
  readonly header?: { readonly glibcVersionRuntime?: string }
}
