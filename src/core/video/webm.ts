// Writes frames that are encoded with VP8 as a WebM file (Matroska: EBML, RFC 8794 and 9559). Its duration and the positions of its key frames are before the
// frames, so that a player shows a progress bar and seeks.

export interface EncodedFrame {
  /** Milliseconds from the start, as an integer; no two frames have the same. */
  readonly time: number
  /** Whether it can be shown without the frames before it. */
  readonly isKey: boolean
  readonly bytes: Uint8Array
}

export interface WebmVideo {
  readonly width: number
  readonly height: number
  /** In milliseconds. */
  readonly duration: number
  /** In the order of their times; the first one is a key frame. */
  readonly frames: readonly EncodedFrame[]
}

/** The largest distance of a frame from the beginning of its cluster: it has 16 bits there. */
export const CLUSTER_LIMIT_MS = 32_767

export function writeWebm({ width, height, duration, frames }: WebmVideo): Uint8Array<ArrayBuffer> {
  const clusters = divideFrames(frames)
  const clusterElements = clusters.map(writeCluster)
  const info = element(ID.Info, [
    uint(ID.TimestampScale, NANOSECONDS_PER_MS),
    float(ID.Duration, duration),
    text(ID.MuxingApp, APP),
    text(ID.WritingApp, APP),
  ])
  const tracks = element(ID.Tracks, [
    element(ID.TrackEntry, [
      uint(ID.TrackNumber, TRACK),
      uint(ID.TrackUID, TRACK),
      uint(ID.TrackType, VIDEO_TRACK),
      uint(ID.FlagLacing, 0),
      text(ID.CodecID, 'V_VP8'),
      element(ID.Video, [uint(ID.PixelWidth, width), uint(ID.PixelHeight, height)]),
    ]),
  ])
  // Numbers have a fixed length, so the cues have the same size with any positions.
  const headSize = sizeOf([...info, ...tracks, ...writeCues(clusters, [])])
  const positions = clusterElements.map(
    (_, index) => headSize + sizeOf(clusterElements.slice(0, index).flat()),
  )
  const header = element(ID.EBML, [
    text(ID.DocType, 'webm'),
    uint(ID.DocTypeVersion, 4),
    uint(ID.DocTypeReadVersion, 2),
  ])
  const segment = element(ID.Segment, [info, tracks, writeCues(clusters, positions), ...clusterElements])
  return join([...header, ...segment])
}

// --- internal ---

const ID = {
  EBML: 0x1a45dfa3,
  DocType: 0x4282,
  DocTypeVersion: 0x4287,
  DocTypeReadVersion: 0x4285,
  Segment: 0x18538067,
  Info: 0x1549a966,
  TimestampScale: 0x2ad7b1,
  Duration: 0x4489,
  MuxingApp: 0x4d80,
  WritingApp: 0x5741,
  Tracks: 0x1654ae6b,
  TrackEntry: 0xae,
  TrackNumber: 0xd7,
  TrackUID: 0x73c5,
  TrackType: 0x83,
  FlagLacing: 0x9c,
  CodecID: 0x86,
  Video: 0xe0,
  PixelWidth: 0xb0,
  PixelHeight: 0xba,
  Cues: 0x1c53bb6b,
  CuePoint: 0xbb,
  CueTime: 0xb3,
  CueTrackPositions: 0xb7,
  CueTrack: 0xf7,
  CueClusterPosition: 0xf1,
  Cluster: 0x1f43b675,
  Timestamp: 0xe7,
  SimpleBlock: 0xa3,
} as const

/** The pieces of an element, in order. */
type Pieces = readonly Uint8Array[]

const NANOSECONDS_PER_MS = 1_000_000
const APP = 'Footlight'
const TRACK = 1
const VIDEO_TRACK = 1
const KEY_FRAME_FLAG = 0x80
/** The first byte of a length of 8 bytes. */
const LENGTH_MARK = 1

/** Each cluster begins with a key frame, unless it only continues a long one. */
function divideFrames(frames: readonly EncodedFrame[]): EncodedFrame[][] {
  const clusters: EncodedFrame[][] = []
  for (const frame of frames) {
    const last = clusters.at(-1)
    const isLate = last?.[0] !== undefined && frame.time - last[0].time > CLUSTER_LIMIT_MS
    if (!last || frame.isKey || isLate) clusters.push([frame])
    else last.push(frame)
  }
  return clusters
}

const writeCues = (clusters: readonly EncodedFrame[][], positions: readonly number[]): Pieces =>
  element(
    ID.Cues,
    clusters.flatMap(([first], index) => (first?.isKey ? [writeCue(first.time, positions[index] ?? 0)] : [])),
  )

const writeCue = (time: number, position: number): Pieces =>
  element(ID.CuePoint, [
    uint(ID.CueTime, time),
    element(ID.CueTrackPositions, [uint(ID.CueTrack, TRACK), uint(ID.CueClusterPosition, position)]),
  ])

function writeCluster(frames: readonly EncodedFrame[]): Pieces {
  const start = frames[0]?.time ?? 0
  const blocks = frames.map(({ time, isKey, bytes }) => {
    const offset = time - start
    const header = [0x80 | TRACK, offset >> 8, offset & 0xff, isKey ? KEY_FRAME_FLAG : 0]
    return element(ID.SimpleBlock, [[Uint8Array.from(header), bytes]])
  })
  return element(ID.Cluster, [uint(ID.Timestamp, start), ...blocks])
}

/** An element of other elements, or of bytes. */
function element(id: number, children: readonly Pieces[]): Pieces {
  const content = children.flat()
  const length = eightBytes((view) => view.setBigUint64(0, BigInt(sizeOf(content))))
  length[0] = LENGTH_MARK
  return [idBytes(id), length, ...content]
}

const text = (id: number, value: string): Pieces => element(id, [[new TextEncoder().encode(value)]])

const uint = (id: number, value: number): Pieces =>
  element(id, [[eightBytes((view) => view.setBigUint64(0, BigInt(value)))]])

const float = (id: number, value: number): Pieces =>
  element(id, [[eightBytes((view) => view.setFloat64(0, value))]])

function eightBytes(write: (view: DataView) => void): Uint8Array {
  const view = new DataView(new ArrayBuffer(8))
  write(view)
  return new Uint8Array(view.buffer)
}

/** An id has its length in its first byte. */
const idBytes = (id: number): Uint8Array =>
  Uint8Array.from((id.toString(16).match(/../g) ?? []).map((byte) => parseInt(byte, 16)))

const sizeOf = (pieces: Pieces): number => pieces.reduce((sum, { length }) => sum + length, 0)

function join(pieces: Pieces): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(sizeOf(pieces))
  let offset = 0
  for (const piece of pieces) {
    bytes.set(piece, offset)
    offset += piece.length
  }
  return bytes
}
