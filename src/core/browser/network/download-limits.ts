// What a session may download: a maximum of files, of bytes in total and of bytes per file. Bytes count while they arrive.

interface DownloadLimits {
  readonly files: number
  readonly bytes: number
  readonly fileBytes: number
}

interface DownloadLedger {
  /** Registers a download; returns why it is refused, or undefined. */
  begin(id: string): string | undefined
  /** Records the received bytes and, if known, the total; returns why the download must be cancelled, or undefined. */
  receive(id: string, received: number, total?: number): string | undefined
  /** The bytes that may still arrive, in one file, before one of the limits is reached. */
  remainingBytes(): number
  /** Ends a download, of which `storedBytes` remain on disk. */
  end(id: string, storedBytes: number): void
}

export const DOWNLOAD_LIMITS: DownloadLimits = { files: 100, bytes: 500_000_000, fileBytes: 100_000_000 }

const NEXT_STEP = 'Copy the files you need and continue in a new session (close_session, create_session).'

export function createDownloadLedger({ files, bytes, fileBytes }: DownloadLimits): DownloadLedger {
  const receivedBytesById = new Map<string, number>()
  let startedCount = 0
  let storedBytes = 0
  const totalBytes = () => [...receivedBytesById.values()].reduce((sum, size) => sum + size, storedBytes)
  return {
    begin(id) {
      if (startedCount >= files) return `a session downloads at most ${files} files. ${NEXT_STEP}`
      if (storedBytes >= bytes) return `a session downloads at most ${bytes} bytes. ${NEXT_STEP}`
      startedCount += 1
      receivedBytesById.set(id, 0)
      return undefined
    },
    receive(id, received, total = 0) {
      const size = Math.max(received, total)
      receivedBytesById.set(id, size)
      if (size > fileBytes) return `it has ${size} bytes, more than ${fileBytes}.`
      return totalBytes() > bytes ? `a session downloads at most ${bytes} bytes. ${NEXT_STEP}` : undefined
    },
    remainingBytes: () =>
      Math.min(fileBytes - Math.max(0, ...receivedBytesById.values()), bytes - totalBytes()),
    end(id, size) {
      receivedBytesById.delete(id)
      storedBytes += size
    },
  }
}
