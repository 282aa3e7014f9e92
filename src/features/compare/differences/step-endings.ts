// Where the steps of a flow ended, as far as that makes a comparison say less than it seems to: on a login, on an error, elsewhere than asked.

import { clip } from '../../../core/base/text/clip.ts'
import type { PageView } from './page-view.ts'

/** What a page was at the end of a step. */
export interface Ending {
  /** Of its document. */
  readonly status?: number
  /** Whether it asks for the password of an account that exists. */
  readonly asksPassword: boolean
  /** The name of the tool whose error covers it. */
  readonly overlay?: string
}

export interface EndedStep {
  readonly number: number
  /** The path that was asked for; undefined where the step asks for none. */
  readonly target?: string
  /** Whether it is a login on purpose: the flow fills it in. */
  readonly isLogin: boolean
  readonly base: EndedPage
  readonly current: EndedPage
}

export interface EndedPage extends Ending {
  readonly view: Pick<PageView, 'address' | 'title' | 'lines' | 'requests'>
}

/** What is to be said before all else, a sentence each; the last one is the way out. */
export function describeEndings(steps: readonly EndedStep[]): readonly string[] {
  const groups = new Map<
    string,
    { readonly what: string; readonly where: string; readonly steps: number[] }
  >()
  let mayBeLogin = false
  for (const { number, target, isLogin, base, current } of steps) {
    const [inBase, inCurrent] = [base, current].map((page) => findProblem(page, target, isLogin))
    const problems = [
      ...(inBase && inBase.text === inCurrent?.text
        ? [[inBase, 'in both versions'] as const]
        : [
            ...(inBase ? [[inBase, 'in the base'] as const] : []),
            ...(inCurrent ? [[inCurrent, 'in the current version'] as const] : []),
          ]),
    ]
    for (const [problem, where] of problems) {
      mayBeLogin ||= problem.mayBeLogin
      const key = `${problem.text} ${where}`
      const group = groups.get(key) ?? { what: problem.text, where, steps: [] }
      groups.set(key, { ...group, steps: [...group.steps, number] })
    }
  }
  const failing = steps.flatMap(({ number, base, current }) =>
    failingInBoth(base.view, current.view).map(
      (text) => `A request of step ${number} failed in both versions: ${text}.`,
    ),
  )
  const sentences = [...groups.values()].map(({ what, where, steps: numbers }) => {
    const subject = numbers.length === 1 ? `Step ${numbers[0]} shows` : `Steps ${listOf(numbers)} show`
    return `${subject} ${what} ${where}.`
  })
  sentences.push(...new Set(failing))
  return mayBeLogin ? [...sentences, WAY_OUT] : sentences
}

/** The way to a page behind a login. */
export const WAY_OUT =
  'If the page needs a login: log in in a session and pass the flow "session", pass a saved test that logs in, or give the session a storage state (or httpCredentials).'

// --- internal ---

interface Problem {
  readonly text: string
  readonly mayBeLogin: boolean
}

const LOGIN_PATH =
  /(^|[/_.-])(log-?in|log-?on|sign-?in|sign-?up|register|registration|auth|sso|password|sessions?\/new|anmelden|connexion)([/_.?#-]|$)/i
const LOGIN_TITLE =
  /^(please )?(log|sign)[ -]?(in|on)\b|^(anmelden|einloggen|connexion|iniciar sesi[oó]n|accedi|inloggen|entrar)\b/i
const LOGIN_TEXT =
  /(session|login|sitzung|sesi[oó]n|sessione?)\b.{0,24}\b(expired|timed out|ended|abgelaufen|expir[ée]e|expirado|caducado|scaduta)|(log|sign)(ged)?[ -]?(in|on)( again)? (to|before|first|with|using)\b|(please|must|have to|need to|not) (be )?(log|sign)(ged|ed)?[ -]?(in|on)|unauthori[sz]ed|not authori[sz]ed|access denied|permission denied|forbidden|authentication required|bitte (melden|loggen)|veuillez vous (re)?connecter|inicia(r)? sesi[oó]n/i
const ERROR_TITLE =
  /\b(internal server error|application error|bad gateway|service unavailable|gateway time-?out|page not found|not found|something went wrong|unhandled (runtime )?error|this site can.t be reached)\b|^(error:? )?[45]\d\d( ?[-–—|:.]|$)/i
/** What programs show of an error that nobody handles. */
const ERROR_TEXT =
  /^(PHP )?(Fatal|Parse) error: |^Traceback \(most recent call last\)|^(Uncaught|Unhandled) \w*(Error|Exception|Rejection)\b/
/** Ways to log in without a password. */
const LOGIN_BUTTON =
  /^(button|link) "?((continue|(log|sign)[ -]?(in|on)) with (an? )?(google|github|gitlab|apple|microsoft|facebook|e-?mail|passkey|sso|saml)\b|(send|e-?mail|get) .{0,12}\b(magic|log-?in|sign-?in) (link|code)\b)/i
/** What a page asks its own servers for. */
const FAILED_REQUEST = /^\w+ (\/|https?:\/\/(localhost|127\.0\.0\.1|\[::1\])\b).* → (5\d\d|failed\b.*)$/
/** A page with more lines than this has more to show than one message. */
const SHORT_PAGE_LINES = 16
const HEADING_LIMIT_CHARS = 40
const FAILED_STATUS = 400

function findProblem(page: EndedPage, target: string | undefined, isLogin: boolean): Problem | undefined {
  const { view, status, overlay } = page
  const { address } = view
  const heading = headingOf(view)
  const isElsewhere = target !== undefined && !isSamePlace(target, address)
  const isAskedLogin = isLogin || (!isElsewhere && LOGIN_PATH.test(target ?? ''))
  const loginText = isAskedLogin ? undefined : findLoginText(view)
  const isProgramError = endingLinesOf(view).some(({ text }) => ERROR_TEXT.test(textOf(text)))
  const reasons = [
    ...(status !== undefined && status >= FAILED_STATUS ? [`status ${status}`] : []),
    ...(overlay === undefined ? [] : [`the error of ${overlay}`]),
    ...(isProgramError ||
    ERROR_TITLE.test(heading) ||
    ERROR_TITLE.test(view.title) ||
    /^chrome-error:/.test(address)
      ? ['an error page']
      : []),
    ...(view.lines.length === 0 ? ['an empty page'] : []),
    ...(page.asksPassword && !isAskedLogin ? ['a form with a password'] : []),
    ...(loginText === undefined || page.asksPassword
      ? []
      : [JSON.stringify(clip(loginText, HEADING_LIMIT_CHARS))]),
  ]
  const isMoved = isElsewhere && !isLogin
  if (!isMoved && reasons.length === 0) return undefined
  const named = `${placeOf(address)}${heading && ` (heading ${JSON.stringify(clip(heading, HEADING_LIMIT_CHARS))})`}`
  const text = isMoved
    ? [`the page of ${named}, which is not the one that was asked for`, ...reasons].join(', ')
    : `${listOf(reasons)} at ${named}`
  const isServerError = isProgramError || overlay !== undefined || (status !== undefined && status >= 500)
  return { text, mayBeLogin: !isServerError && view.lines.length > 0 }
}

/** What is the message of a page, and not one of many rows: all lines of a short page, and the last one, where a program has stopped. */
const endingLinesOf = ({ lines }: Pick<PageView, 'lines'>) =>
  lines.length <= SHORT_PAGE_LINES ? lines : lines.slice(-1)

/** What both versions asked their servers for without an answer: what it would have brought is compared in neither. */
function failingInBoth(base: EndedPage['view'], current: EndedPage['view']): readonly string[] {
  const texts = new Set(base.requests.map(({ text }) => text))
  return current.requests.flatMap(({ text }) => (FAILED_REQUEST.test(text) && texts.has(text) ? [text] : []))
}

/** A heading, else the name of a dialog; empty without one. */
function headingOf({ lines }: Pick<PageView, 'lines'>): string {
  const nameOf = (role: string) => {
    const line = lines.find(({ text }) => text.startsWith(`${role} `) || text.startsWith(`${role}:`))
    return line && (/"((?:[^"\\]|\\.)*)"/.exec(line.text)?.[1] ?? /: (.+)$/.exec(line.text)?.[1])
  }
  return nameOf('dialog') ?? nameOf('heading') ?? ''
}

function findLoginText({ lines, title }: EndedPage['view']): string | undefined {
  const titles = [
    title,
    ...lines.flatMap(({ text }) =>
      /^(heading|dialog|alertdialog|alert)\b/.test(text) ? [textOf(text)] : [],
    ),
  ]
  const named = titles.find((text) => LOGIN_TITLE.test(text) || LOGIN_TEXT.test(text))
  if (named !== undefined) return named
  const texts = lines.length <= SHORT_PAGE_LINES ? lines.map(({ text }) => text) : []
  const loginLine = texts.find((text) => LOGIN_BUTTON.test(text) || LOGIN_TEXT.test(textOf(text)))
  return loginLine === undefined ? undefined : textOf(loginLine)
}

/** The name and the value of a line, without its role. */
const textOf = (line: string): string =>
  line
    .replace(/^[\w-]+:? ?/, '')
    .replace(/ \[[^\]]*\]/g, '')
    .replaceAll('"', '')

const isSamePlace = (target: string, address: string): boolean => {
  if (!address.startsWith('/')) return false
  const [expected, reached] = [target, address].map((text) => new URL(text, 'http://flow.invalid'))
  if (!expected || !reached) return false
  const isSamePath = pathOf(expected) === pathOf(reached)
  // In an application that routes by it, the fragment is the page.
  return (
    isSamePath &&
    (!/^#!?\//.test(expected.hash) || expected.hash.split('?')[0] === reached.hash.split('?')[0])
  )
}

const pathOf = ({ pathname }: URL): string =>
  decodeURI(pathname)
    .replace(/\/(index\.\w+)?$/, '')
    .toLowerCase()

/** An address without what differs in each run; of another server with its origin. */
const placeOf = (address: string): string => address.replace(/\?.*$/s, '') || '/'

const listOf = (items: readonly (string | number)[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
