// Which commands may reach the user's own browser. To the browser itself only those that are listed; to a tab of ours all that have no
// effect outside of it. What Playwright always sends, and what would have an effect on other tabs, is answered without being sent.

import type { ProtocolMessage } from './relay-lines.ts'

/** `open`: open a tab; `answer`: answer with an empty result; `deny`: answer with an error. */
type CommandDecision = 'forward' | 'open' | 'answer' | 'deny'

interface CommandScope {
  /** Whether the command is for the browser, and not for a tab. */
  readonly isForBrowser: boolean
  ownsTarget(targetId: string): boolean
  /** Whether this CDP session belongs to the client. */
  ownsSession(sessionId: string): boolean
}

/** Decides about a command of a client. A command that names a target or a CDP session of others is denied. */
export function decideCommand(
  { method = '', params = {} }: ProtocolMessage,
  { isForBrowser, ownsTarget, ownsSession }: CommandScope,
): CommandDecision {
  const { targetId, sessionId, browserContextId } = params
  if (typeof targetId === 'string' && !ownsTarget(targetId)) return 'deny'
  if (method.startsWith('Target.') && typeof sessionId === 'string' && !ownsSession(sessionId)) return 'deny'
  if (isForBrowser) {
    if (method === 'Target.createTarget') return browserContextId === undefined ? 'open' : 'deny'
    return BROWSER_COMMANDS[method] ?? 'deny'
  }
  const decision = TAB_COMMANDS[method]
  if (decision) return decision
  return BROWSER_WIDE_COMMANDS.test(method) ? 'deny' : 'forward'
}

/** The parameters with which a command is sent: workers that several tabs share are not attached to. */
export function restrictParams({ method, params }: ProtocolMessage): ProtocolMessage['params'] {
  if (method !== 'Target.setAutoAttach') return params
  return { ...params, filter: [...EXCLUDED_TYPES.map((type) => ({ type, exclude: true })), {}] }
}

/** The error of a command that is denied. */
export const commandDenial = (method: string) => ({
  code: -32000,
  message: `${method} is not available in the user's own browser`,
})

// The first two are excluded by default.
const EXCLUDED_TYPES = ['browser', 'tab', 'service_worker', 'shared_worker']

const BROWSER_COMMANDS: Readonly<Record<string, CommandDecision>> = {
  'Browser.getVersion': 'forward',
  'Target.getTargetInfo': 'forward',
  'Target.attachToBrowserTarget': 'forward',
  'Target.attachToTarget': 'forward',
  'Target.detachFromTarget': 'forward',
  'Target.closeTarget': 'forward',
  // It would attach to every tab of the user.
  'Target.setAutoAttach': 'answer',
  // It would take the focus from the user.
  'Target.activateTarget': 'answer',
  // The downloads of all tabs would be affected.
  'Browser.setDownloadBehavior': 'answer',
  'Browser.close': 'answer',
}

const TAB_COMMANDS: Readonly<Record<string, CommandDecision>> = {
  'Target.setAutoAttach': 'forward',
  'Target.attachToTarget': 'forward',
  'Target.detachFromTarget': 'forward',
  'Target.getTargetInfo': 'forward',
  'Page.bringToFront': 'answer',
  'Browser.getVersion': 'forward',
}

const BROWSER_WIDE_COMMANDS =
  /^(Browser|Target|Tracing|SystemInfo|Memory|ServiceWorker|Extensions|Autofill|PWA|DeviceAccess|FedCm|WebAuthn)\.|^Network\.(clearBrowser|getAllCookies|loadNetworkResource)|^Storage\.(getCookies|setCookies|clearCookies)$|^Page\.(setDownloadBehavior|crash)$|^IO\.resolveBlob$/
