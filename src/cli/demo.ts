import type { Settings } from './options.ts'

export async function demo(_settings: Settings, _raw: readonly string[]): Promise<number> {
  return 0
}
