// What a program or library for Linux says of the libraries it needs: the entries of its dynamic section. Only 64-bit little-endian
// files are read, which are x64 and arm64.

/** Bytes of the file from an offset; fewer than asked for at its end. */
export type ReadAt = (offset: number, length: number) => Uint8Array

export interface Dynamic {
  /** 62 is x86-64, 183 is AArch64. */
  readonly machine: number
  readonly needed: readonly string[]
  /** Where it wants them looked for; $ORIGIN is its own folder. */
  readonly runpath: readonly string[]
  /** The newest glibc whose symbols it uses, as in 2.36. */
  readonly glibc: string | undefined
}

const DYNAMIC = 2
const tags = { needed: 1, strings: 5, size: 10, rpath: 15, runpath: 29 } as const

/** Undefined where this is no such file, or one that needs no library. */
export function dynamicOf(read: ReadAt): Dynamic | undefined {
  const head = view(read(0, 64))
  if (head.byteLength < 64 || head.getUint32(0) !== 0x7f454c46 || head.getUint16(4) !== 0x0201)
    return undefined
  const size = head.getUint16(54, true)
  const count = head.getUint16(56, true)
  const table = view(read(long(head, 32), size * count))
  if (table.byteLength < size * count) return undefined
  const segments = Array.from({ length: count }, (_, index) => segmentAt(table, index * size))
  const dynamic = segments.find(({ type }) => type === DYNAMIC)
  if (!dynamic) return undefined
  const entries = pairs(view(read(dynamic.offset, dynamic.size)))
  const valueOf = (tag: number) => entries.find(([found]) => found === tag)?.[1]
  const address = valueOf(tags.strings)
  const home = segments.find(
    ({ type, address: from, size: length }) =>
      type === 1 && address !== undefined && address >= from && address < from + length,
  )
  if (address === undefined || !home) return undefined
  const strings = read(home.offset + address - home.address, valueOf(tags.size) ?? 0)
  const texts = (tag: number) =>
    entries.filter(([found]) => found === tag).map(([, at]) => textAt(strings, at))
  return {
    machine: head.getUint16(18, true),
    needed: texts(tags.needed),
    runpath: [...texts(tags.runpath), ...texts(tags.rpath)].flatMap((path) => path.split(':')),
    glibc: newestGlibc(strings),
  }
}

/** Compares versions by their numbers. */
export function olderThan(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => text.split('.').map(Number)) as [number[], number[]]
  const at = right.findIndex((part, index) => part !== (left[index] ?? 0))
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0)
}

// --- internal ---

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const long = (data: DataView, at: number): number => Number(data.getBigUint64(at, true))

const segmentAt = (table: DataView, at: number) => ({
  type: table.getUint32(at, true),
  offset: long(table, at + 8),
  address: long(table, at + 16),
  size: long(table, at + 32),
})

function pairs(data: DataView): [number, number][] {
  const out: [number, number][] = []
  for (let at = 0; at + 16 <= data.byteLength; at += 16) {
    const tag = long(data, at)
    if (tag === 0) break
    out.push([tag, long(data, at + 8)])
  }
  return out
}

function textAt(strings: Uint8Array, at: number): string {
  const end = strings.indexOf(0, at)
  return new TextDecoder().decode(strings.subarray(at, end < 0 ? undefined : end))
}

// The versions of the symbols that are needed are names in the same table.
function newestGlibc(strings: Uint8Array): string | undefined {
  const found = Buffer.from(strings.buffer, strings.byteOffset, strings.byteLength)
  const versions: string[] = []
  for (let at = found.indexOf('\0GLIBC_2.'); at >= 0; at = found.indexOf('\0GLIBC_2.', at + 1))
    versions.push(textAt(strings, at + 1).slice('GLIBC_'.length))
  return versions.reduce<string | undefined>(
    (newest, version) => (newest === undefined || olderThan(newest, version) ? version : newest),
    undefined,
  )
}
