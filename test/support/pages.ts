// Hand-written records that stand for the browser port, for tests of what lies around it.

import type { ActionResults } from '../../src/core/base/action.ts'
import { type Failure, invalidParameter } from '../../src/core/base/failure.ts'
import type { Files, NamedStates } from '../../src/core/base/files/files.ts'
import { openDocument } from '../../src/core/base/files/open-document.ts'
import { revealingRedactor } from '../../src/core/base/redaction/redactor.ts'
import { err, ok } from '../../src/core/base/result.ts'
import { featureParts } from '../../src/core/cli/tools/catalogue.ts'
import { createSessionManager } from '../../src/core/sessions/session-manager.ts'
import type { Browsers, OwnedPage, PageOptions } from '../../src/core/sessions/types/browsers.ts'
import type { EgressProxies } from '../../src/core/sessions/types/egress-proxy.ts'
import type { Servers } from '../../src/core/sessions/types/servers.ts'
import type { ClosableSessionManager } from '../../src/core/sessions/types/session-manager.ts'
import type { SessionManagerOptions } from '../../src/core/sessions/types/session-options.ts'
import { createLastSnapshot } from '../../src/core/snapshot/last-snapshot.ts'
import type { ToolContext } from '../../src/core/tool/tool.ts'

/** What its page returns for each kind of action. */
export const stillResults: ActionResults = {
  navigate: { title: '', url: 'about:blank', status: 200 },
  history: { title: '', url: 'about:blank', status: 200 },
  click: '',
  type: { note: '' },
  fill: undefined,
  passkeys: [],
  submit: undefined,
  select: [],
  hover: undefined,
  drag: '',
  press: undefined,
  mouse: { element: 'canvas', note: '' },
  touch: 'canvas',
  callTool: { result: null, notes: [] },
  upload: 'chosen',
  check: undefined,
  dialog: { type: 'alert', message: '' },
  openTab: 't1',
  closeTab: undefined,
  emulate: {},
  mock: [],
  clock: undefined,
  seed: undefined,
  storage: { cookies: [], localStorage: [], sessionStorage: [] },
}

/** Nothing can be done with its tabs. */
const stillParts = {
  hooks: {},
  context: { browser: () => null },
  page: () => ({ viewportSize: () => null }),
  requests: {
    numberOf: () => undefined,
    readFailedBody: async () => undefined,
    readScript: async () => undefined,
  },
  runOnTab: async () => err({ code: 'CANCELLED' }),
  readRedacted: async () => err({ code: 'CANCELLED' }),
  readMasked: async () => err({ code: 'CANCELLED' }),
} as unknown as OwnedPage['parts']

const stillPage = (more: Partial<OwnedPage> = {}): OwnedPage => ({
  parts: stillParts,
  emulate: async () => ok({}),
  perform: async ({ kind }) => ok(stillResults[kind]),
  url: () => 'about:blank',
  title: async () => ok(''),
  count: async () => ok(1),
  isReported: async () => true,
  settle: async () => [],
  readNews: async () => undefined,
  isPending: async () => false,
  waitForOutput: async () => {},
  tree: async () => ok([{ role: 'button', name: 'Go', ref: 'e1' }]),
  readRequest: async () => ok({ request: {}, response: {} }),
  dialog: () => undefined,
  tabs: async () => ok([]),
  selectTab: () => ok(undefined),
  applyMocks: async () => ok([]),
  describeElement: async () => undefined,
  describeSelector: async (selector) => ({
    locators: [{ selector, code: `locator('${selector}')` }],
    role: '',
    name: '',
    type: '',
    isEmpty: false,
    isSecret: false,
  }),
  isSecretFocused: async () => false,
  isServerRendered: async () => false,
  tabIds: () => ({ active: 't1', all: ['t1'] }),
  startHar: async () => ok([]),
  stopHar: async () => ok({ log: { entries: [] } }),
  captureState: async () => ok({ cookies: [], origins: [] }),
  startTrace: async () => ok(undefined),
  stopTrace: async () => ok(undefined),
  screenshot: async () =>
    ok({
      images: [{ bytes: new Uint8Array(8), mimeType: 'image/png', width: 1, height: 1 }],
      notes: [],
    }),
  evaluate: async () => ok({ result: null, notes: [] }),
  allowPasting: async () => {},
  disableCache: async () => {},
  setServerOrigin: async () => {},
  recover: async () => 'answering',
  nextFrame: async () => undefined,
  recordVideo: async () => err({ code: 'CANCELLED' }),
  performInput: async () => ok(undefined),
  releaseInput: async () => {},
  noticePerson: async () => ({ idle: async () => {}, stop: async () => {} }),
  shownElements: async () => ok([]),
  placesOf: async () => [],
  locatorOfRef: async () => ok(undefined),
  elementAt: async () => ok(undefined),
  viewFailure: async () => ({ missing: {} }),
  waitForAnimations: async () => {},
  currentTitle: async () => '',
  release: async () => {},
  ...more,
})

export interface StillBrowsers extends Browsers {
  readonly opened: PageOptions[]
  readonly released: () => number
  /** Reports the browser of every open page as dead. */
  die(failure: Failure): void
}

export function stillBrowsers(
  more: Partial<OwnedPage> = {},
  opening: Promise<unknown> = Promise.resolve(),
): StillBrowsers {
  const opened: PageOptions[] = []
  const lost = new Set<(failure: Failure) => void>()
  let released = 0
  return {
    opened,
    released: () => released,
    die: (failure) => lost.forEach((tell) => tell(failure)),
    async open(options, { onCrash: tell }) {
      opened.push(options)
      await opening
      lost.add(tell)
      const release = async () => {
        released += 1
        lost.delete(tell)
      }
      return ok(stillPage({ release, ...more }))
    },
    end: async () => {},
  }
}

export const sessionSettings: SessionManagerOptions = {
  browser: 'chromium',
  maxSessions: 10,
  sessionTimeout: 60_000,
  maxLifetime: 60_000,
  actionTimeout: 1000,
  navigationTimeout: 1000,
  implicitSession: false,
  evidence: 'full',
  trace: 'off',
  memoryLimit: 0,
  handles: false,
  onEvent: () => {},
}

/** Files that are never written. */
const noFiles: Files = {
  findRunnable: async () => err({ code: 'CANCELLED' }),
  folder: () => ({
    reserve: async () => err({ code: 'CANCELLED' }),
    write: async () => err({ code: 'CANCELLED' }),
    finish: async (path) => ({ name: '', path, resource: '' }),
    remove: async () => {},
    list: () => [],
    read: async () => undefined,
  }),
  find: async () => err({ code: 'CANCELLED' }),
  filesBelow: async () => undefined,
  openDocument,
  read: async () => err({ code: 'CANCELLED' }),
  readIfExists: async () => ok(undefined),
  findAbove: async () => undefined,
  checkNew: async () => ok(undefined),
  resolve: (path) => path,
  create: async () => err({ code: 'CANCELLED' }),
}

/** No rules, so no proxy. */
const noGates: EgressProxies = {
  isAlwaysUsed: false,
  hasUserProxy: false,
  open: async () => undefined,
  createServerAddressCheck: () => undefined,
  openRefusingProxy: async () => 'http://127.0.0.1:9',
  reservePort: () => () => {},
  close: () => {},
}

/** Servers that are never asked for. */
const noServers: Servers = {
  start: async () => err({ code: 'CANCELLED' }),
}

/** States that are never asked for. */
const noStates: NamedStates = {
  open: async () => err({ code: 'CANCELLED' }),
  openProfile: async () => err({ code: 'CANCELLED' }),
}

/** A sessions on these, for one session unless `more` says otherwise. */
export const stillSessionManager = (
  browsers: Browsers,
  more: Partial<SessionManagerOptions> = {},
  clock = () => 0,
  files = noFiles,
  servers = noServers,
  redactor = revealingRedactor,
): ClosableSessionManager =>
  createSessionManager(
    {
      browsers,
      servers,
      files,
      proxies: noGates,
      states: noStates,
      createLastSnapshot,
      features: featureParts,
      redactor,
      clock,
    },
    {
      browser: 'chromium',
      maxSessions: 1,
      sessionTimeout: 1000,
      maxLifetime: 1000,
      actionTimeout: 100,
      navigationTimeout: 100,
      implicitSession: true,
      evidence: 'none',
      trace: 'off',
      memoryLimit: 0,
      handles: false,
      onEvent: () => {},
      ...more,
    },
  )

/** A call to it, from its one owner. */
export const stillContext = (sessions: ClosableSessionManager): ToolContext => ({
  parseStep: (tool) => err(invalidParameter('tool', 'no steps in this test', tool)),
  caller: {
    owner: 'me',
    signal: new AbortController().signal,
    progress: () => {},
    ask: async () => false,
  },
  sessions,
  programLimits: undefined,
  files: noFiles,
  tests: {
    findObstacle: () => ({ code: 'CANCELLED' }),
    run: async () => err({ code: 'CANCELLED' }),
    format: async () => {},
    projectOf: () => undefined,
  },
  verify: {
    findObstacle: () => ({ code: 'CANCELLED' }),
    readChange: async () => err({ code: 'CANCELLED' }),
    ledgerOf: () => ({
      path: '',
      append: async () => ok(undefined),
      read: async () => ({ entries: [], passedOver: [], isUnreadable: false }),
    }),
    findTestFiles: async () => ok([]),
    outputFolder: '',
    write: async () => err({ code: 'CANCELLED' }),
  },
  revisions: {
    findObstacle: () => ({ code: 'CANCELLED' }),
    isFolder: () => false,
    isRevision: async () => false,
    checkOut: async () => err({ code: 'CANCELLED' }),
    findRepositoryProblem: async () => undefined,
    readChanges: async () => ok([]),
  },
  secrets: new Map(),
})
