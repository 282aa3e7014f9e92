// What a program or library for Linux says of the libraries it needs: the entries of its dynamic section. Only 64-bit little-endian
// files are read, which are x64 and arm64.

/** Bytes of the file from an offset; fewer than asked for at its end. */
export type ReadAt = (offset: number, length: number) => Uint8Array

export interface DynamicSection {
  /** 62 is x86-64, 183 is AArch64. */
  readonly machine: number
  readonly needed: readonly string[]
  /** Where it wants them looked for; $ORIGIN is its own folder. */
  readonly runpath: readonly string[]
  /** The newest glibc whose symbols it uses, as in 2.36. */
  readonly glibc: string | undefined
}

const DYNAMIC_SEGMENT_TYPE = 2
const tags = { needed: 1, strings: 5, size: 10, rpath: 15, runpath: 29 } as const

/** Undefined where this is no such file, or one that needs no library. */
export function readDynamicSection(read: ReadAt): DynamicSection | undefined {
  const header = viewOf(read(0, 64))
  if (header.byteLength < 64 || header.getUint32(0) !== 0x7f454c46 || header.getUint16(4) !== 0x0201)
    return undefined
  const size = header.getUint16(54, true)
  const count = header.getUint16(56, true)
  const table = viewOf(read(readUint64(header, 32), size * count))
  if (table.byteLength < size * count) return undefined
  const segments = Array.from({ length: count }, (_, index) => readSegment(table, index * size))
  const dynamic = segments.find(({ type }) => type === DYNAMIC_SEGMENT_TYPE)
  if (!dynamic) return undefined
  const entries = readDynamicEntries(viewOf(read(dynamic.offset, dynamic.size)))
  const valueOfTag = (tag: number) => entries.find(([entryTag]) => entryTag === tag)?.[1]
  const address = valueOfTag(tags.strings)
  const stringsSegment = segments.find(
    ({ type, address: from, size: length }) =>
      type === 1 && address !== undefined && address >= from && address < from + length,
  )
  if (address === undefined || !stringsSegment) return undefined
  const strings = read(stringsSegment.offset + address - stringsSegment.address, valueOfTag(tags.size) ?? 0)
  const readStrings = (tag: number) =>
    entries.filter(([entryTag]) => entryTag === tag).map(([, at]) => readCString(strings, at))
  return {
    machine: header.getUint16(18, true),
    needed: readStrings(tags.needed),
    runpath: [...readStrings(tags.runpath), ...readStrings(tags.rpath)].flatMap((path) => path.split(':')),
    glibc: findNewestGlibc(strings),
  }
}

/** Compares versions by their numbers. */
export function isOlderVersion(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => text.split('.').map(Number)) as [number[], number[]]
  const at = right.findIndex((part, index) => part !== (left[index] ?? 0))
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0)
}

// --- internal ---

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const readUint64 = (data: DataView, at: number): number => Number(data.getBigUint64(at, true))

const readSegment = (table: DataView, at: number) => ({
  type: table.getUint32(at, true),
  offset: readUint64(table, at + 8),
  address: readUint64(table, at + 16),
  size: readUint64(table, at + 32),
})

function readDynamicEntries(data: DataView): [number, number][] {
  const entries: [number, number][] = []
  for (let at = 0; at + 16 <= data.byteLength; at += 16) {
    const tag = readUint64(data, at)
    if (tag === 0) break
    entries.push([tag, readUint64(data, at + 8)])
  }
  return entries
}

function readCString(strings: Uint8Array, at: number): string {
  const end = strings.indexOf(0, at)
  return new TextDecoder().decode(strings.subarray(at, end < 0 ? undefined : end))
}

// The versions of the symbols that are needed are names in the same table.
function findNewestGlibc(strings: Uint8Array): string | undefined {
  const stringBytes = Buffer.from(strings.buffer, strings.byteOffset, strings.byteLength)
  const versions: string[] = []
  for (let at = stringBytes.indexOf('\0GLIBC_2.'); at >= 0; at = stringBytes.indexOf('\0GLIBC_2.', at + 1))
    versions.push(readCString(strings, at + 1).slice('GLIBC_'.length))
  return versions.reduce<string | undefined>(
    (newest, version) => (newest === undefined || isOlderVersion(newest, version) ? version : newest),
    undefined,
  )
}
