import type { ElementName } from '../base/action.ts'
import type { Artifact } from '../base/files/files.ts'
import type { Box } from '../base/geometry.ts'
import type { Image } from '../base/image.ts'

/** The evidence of a failure. Empty parts are omitted. */
export interface Evidence {
  /** Omitted for the browser's own error page. */
  readonly page?: { readonly url: string; readonly title?: string }
  /** What came between the last answer and the call. */
  readonly since?: string
  /** What the attempt of the call changed on the page since the last snapshot. */
  readonly changes?: string
  /** Whether a result has reported this page before: its text needs no line then. Not part of the answer. */
  readonly isPageReported?: true
  /** How the dev server exited, if it did: usually the cause, so it comes first. */
  readonly serverEnded?: string
  /** Why the page may not show the latest source files. */
  readonly freshness?: string
  readonly stderr?: readonly string[]
  /** Errors that it printed on stdout, as build tools do. */
  readonly stdout?: readonly string[]
  readonly console?: readonly string[]
  /** The source file and line of the newest error in `console`, and the lines around it. */
  readonly codeFrame?: string
  readonly requests?: readonly string[]
  /** The file, the line and the components of the element that the call acted on. */
  readonly source?: string
  /** `source`: its file and line. */
  readonly candidates?: readonly (ElementName & { readonly source?: string })[]
  /** What happened beside the lines of the other lists and the calls of the caller. */
  readonly timeline?: readonly string[]
  /** The reasons for missing parts. */
  readonly missing?: Readonly<Record<string, string>>
  readonly screenshot?: ScreenshotFile
  /** Where the element of the call is in `screenshot`, in parts of its size. Not part of the answer. */
  readonly targetBox?: Box
  /** The trace up to the failure, for Playwright's trace viewer. */
  readonly trace?: Artifact
  /** The image in `screenshot`, for clients that show images of failures. */
  readonly image?: Image
}

export type ScreenshotFile = Pick<Artifact, 'path' | 'resource'> & Pick<Image, 'width' | 'height'>

export type EvidenceMode = 'full' | 'text' | 'none'
