// The records of a session: journal, network log, files; and the hooks that write to them.

import type { Clock } from '../system/timer.ts'
import { redactTexts } from '../files/session-files.ts'
import { openRedactor, type RedactorPorts } from './session-redactor.ts'
import type { PageHooks } from '../ports/browsers.ts'
import type { EgressProxyHooks } from '../ports/egress-proxy.ts'
import type { Files, Folder, Artifact } from '../ports/files.ts'
import type { SourceLocator } from '../ports/source-locator.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { revealingRedactor, type Redactor } from '../../core/redaction/redactor.ts'
import {
  createJournal,
  type Journal,
  createLogPositions,
  type LogPositions,
  createNumbering,
} from '../../core/session/journal.ts'
import { createMockList, type MockList } from '../../core/network/mock-list.ts'
import { createRecording, type Recording } from '../../core/recording/recording.ts'
import { createNetworkLog, type NetworkLog } from '../../core/session/network-log.ts'
import { createLastSnapshot, type LastSnapshot } from '../../core/snapshot/last-snapshot.ts'
import type { Image } from '../ports/page-values.ts'

export interface SessionRecords {
  readonly journal: Journal
  readonly network: NetworkLog
  readonly logPositions: LogPositions
  readonly mocks: MockList
  readonly lastSnapshot: LastSnapshot
  readonly recording: Recording
  readonly folder: Folder
  readonly images: EvidenceImages
  readonly redactor: Redactor
  /** The last page event in the journal that a result has reported. */
  reportedSeq: number
  /** The URL of the page in the last result that had one. */
  reportedUrl: string
  /** The last journal entry whose effects a result has reported. */
  incidentSeq: number
  /** The journal entry before the last navigation or successful action: evidence contains later entries only. */
  evidenceSeq: number
}

const RECORD_LIMITS = { entries: 10_000, bytes: 3_000_000 }

/** The empty records of a session. Its id and its name are never redacted. */
export function createSessionRecords(
  id: string,
  name: string,
  ports: RedactorPorts & { readonly files: Files },
): SessionRecords {
  const redactor = openRedactor([id, name], ports)
  const folder = redactTexts(ports.files.folder(id), redactor)
  const numbering = createNumbering()
  return {
    journal: createJournal(RECORD_LIMITS, numbering),
    network: createNetworkLog(RECORD_LIMITS, numbering),
    logPositions: createLogPositions(numbering),
    mocks: createMockList(),
    lastSnapshot: createLastSnapshot(),
    recording: createRecording(),
    folder,
    images: createEvidenceImages(folder),
    redactor,
    reportedSeq: 0,
    reportedUrl: 'about:blank',
    incidentSeq: 0,
    evidenceSeq: 0,
  }
}

// Some module requests are reported without a type.
const SCRIPT_TYPES = new Set(['script', 'other'])

/** The hooks that record the events of the session's page. */
export const pageHooksOf = (
  { journal, network, mocks, redactor, folder }: SessionRecords,
  clock: Clock,
  onCrash: (failure: Failure) => void,
  sources: Pick<SourceLocator, 'addScript' | 'prepare'>,
): PageHooks => ({
  onCrash,
  mocks,
  onEntry(newEntry) {
    const entry = { ...newEntry, at: clock() }
    journal.add(entry)
    sources.prepare(entry)
  },
  onRequest(start) {
    const at = clock()
    const seq = network.start(start, at)
    if (SCRIPT_TYPES.has(start.type)) sources.addScript({ seq, at, url: start.url })
    return seq
  },
  onWebSocketFrame: (seq, frame) => network.addFrame(seq, frame, clock()),
  ...(redactor !== revealingRedactor && { secrets: redactor }),
  onRequestProgress: (seq, progress) => network.update(seq, progress, clock()),
  folder,
})

/** The hooks that record the denials of the session's proxy. */
export const proxyHooksOf = ({ journal, network }: SessionRecords, clock: Clock): EgressProxyHooks => ({
  onDenied(url, { rule }) {
    const failure = `ACCESS_DENIED: ${rule}`
    const seq = network.start({ method: '-', url, type: 'denied' }, clock())
    network.update(seq, { state: 'failed', failure }, clock())
    journal.add({ kind: 'request', at: clock(), level: 'error', text: `${url} → ${failure}` })
  },
})

// --- internal ---

// Screenshots of a session's failures, as files. Only the newest are kept, to limit the disk space.
const IMAGE_LIMIT = 20

interface EvidenceImages {
  save(image: Image): Promise<Outcome<Artifact>>
}

function createEvidenceImages(folder: Folder): EvidenceImages {
  const paths: string[] = []
  let count = 0
  return {
    async save({ bytes, mimeType }) {
      // Each number is used once, so a path that a result contains never refers to the image of another failure.
      count += 1
      const file = await folder.write(`failure-${count}.${mimeType.slice('image/'.length)}`, bytes)
      if (!file.ok) return file
      paths.push(file.value.path)
      const expired = paths.splice(0, Math.max(0, paths.length - IMAGE_LIMIT))
      await Promise.all(expired.map((path) => folder.remove(path).catch(() => {})))
      return file
    },
  }
}
