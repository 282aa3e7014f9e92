// The video of a session, from its start to its file.

import { invalidParameter, type Outcome } from '../../core/base/failure.ts'
import type { Files, Folder } from '../../core/base/files/files.ts'
import { err, map, ok } from '../../core/base/result.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import type { PageParts } from '../../core/browser/page/page-parts.ts'
import type { PageFeature } from '../../core/browser/page/performers.ts'
import type { OwnedPage } from '../../core/sessions/types/browsers.ts'
import type { NewSession, SessionFeature } from '../../core/sessions/types/session-feature.ts'
import { type CaptionParts, createCaptions } from './captions.ts'
import type { PageVideo } from './record-video.ts'
import type { SessionVideo, VideoRecording } from './video.ts'

/** The video of a page that is recorded, which shows its actions and what a person does. */
export function createPageVideo(parts: PageParts): PageFeature {
  let video: PageVideo | undefined
  return {
    during: (action, work) => (video ? video.during(action, work) : work()),
    members: {
      async recordVideo(captions) {
        const { recordVideo } = await import('./record-video.ts')
        return map(await recordVideo(parts, captions), (recording) => (video = recording))
      },
    },
  }
}

interface VideoParts extends CaptionParts {
  readonly page: Pick<OwnedPage, 'recordVideo'>
  readonly folder: Pick<Folder, 'write'>
}

const FILE_NAME = 'video.webm'
const SHEET_NAME = 'video.jpeg'
const SAVE_TIMEOUT_MS = 15_000

function createSessionVideo(
  session: VideoParts,
  files: Pick<Files, 'create'>,
  listeners: Set<() => void>,
): SessionVideo {
  const { page, folder } = session
  let recording: Promise<Outcome<VideoRecording>> | undefined

  const write = async (
    bytes: Uint8Array,
    path: string | undefined,
  ): Promise<Outcome<{ readonly path: string; readonly resource?: string }>> =>
    path === undefined
      ? folder.write(FILE_NAME, bytes)
      : map(await files.create(path, bytes, { createsFolders: true }), (created) => ({ path: created }))

  return {
    isRecording: () => recording !== undefined,
    async start() {
      if (recording) return err(invalidParameter('action', 'stop first', 'start, while a video is recorded'))
      recording = page.recordVideo(createCaptions(session, listeners))
      const result = await recording
      if (!result.ok) recording = undefined
      return map(result, () => undefined)
    },
    async stop(path) {
      const result = await recording
      if (!result?.ok)
        return err(invalidParameter('action', 'start first', 'stop, while no video is recorded'))
      const { bytes, ...video } = await result.value.finish()
      const written = await write(bytes, path)
      if (!written.ok) return written
      recording = undefined
      const { path: writtenPath, resource } = written.value
      const sheet = video.sheet && (await folder.write(SHEET_NAME, video.sheet.bytes))
      return ok({
        ...video,
        path: writtenPath,
        resource,
        bytes: bytes.length,
        ...(sheet?.ok && { sheetPath: sheet.value.path }),
      })
    },
  }
}

/** Lets a session record a video. One that is recorded when it closes is saved. */
export function addVideo({ ports: { files }, ready }: NewSession): SessionFeature {
  const listeners = new Set<() => void>()
  return {
    open: (session) => ({ video: createSessionVideo(session, files, listeners) }),
    // What it changed until its answer is seen, also where that comes after its caption.
    async afterAction() {
      for (const listener of listeners) listener()
    },
    async beforeClose() {
      const text = await saveVideo(ready)
      return () => text
    },
  }
}

// --- internal ---

/** Saves the video of a session that closes while one is recorded. Returns a sentence for the answer, or an empty string. */
async function saveVideo(ready: Promise<Outcome<{ readonly video: SessionVideo }>>): Promise<string> {
  const openResult = await Promise.race([ready, Promise.resolve(undefined)])
  if (!openResult?.ok || !openResult.value.video.isRecording()) return ''
  const result = await settleWithin(SAVE_TIMEOUT_MS, openResult.value.video.stop())
  if (!result || result instanceof Error || !result.ok) return 'Its video could not be written.'
  const { path, note = '' } = result.value
  return `Its video is ${path}. ${note}`.trim()
}
