// Questions to the user in the modern era: a call that has one is answered by `input_required` and waits for the client to send it again
// with the answer. In between it is known by a random id only, which the client returns as `requestState`.

import { randomUUID } from 'node:crypto'
import {
  type CallToolResult,
  type ElicitRequestFormParams,
  inputRequired,
  type InputRequiredResult,
  INVALID_PARAMS,
  type jsonSchemaValidator,
  type RequestId,
  type Server,
} from '@modelcontextprotocol/server'
import { showPageText } from '../../base/text/invisible-characters.ts'
import type { AskForPerson, AskUser, Caller, HostQuestion, PersonRequest } from '../../tool/tool-call.ts'

/** One request of the client for the call. */
type Round = Pick<Caller, 'signal' | 'progress'>

type AskingCaller = Pick<Caller, 'signal' | 'progress' | 'ask' | 'askForPerson'>

type CallOutcome = CallToolResult | InputRequiredResult

export interface SuspendedCalls {
  /** Runs a call until it has its result or a question. `client` is the only one that may continue it. */
  start(
    client: string,
    round: Round,
    run: (caller: AskingCaller) => Promise<CallToolResult>,
  ): Promise<CallOutcome>
  /** Continues a call with the answers of the user. Throws a protocol error if it does not wait for one. */
  resume(
    client: string,
    round: Round,
    id: unknown,
    responses: Readonly<Record<string, unknown>> | undefined,
  ): Promise<CallOutcome>
}

interface Question {
  readonly request: ReturnType<typeof inputRequired.elicit>
  readonly timeoutMs: number
  readonly answer: (response: unknown) => void
}

interface OpenCall {
  readonly client: string
  readonly result: Promise<CallToolResult>
  readonly abort: AbortController
  /** The request that waits for this call; undefined while the user is asked. */
  round: Round | undefined
  question: Question | undefined
  onQuestion: () => void
}

interface WaitingCall {
  readonly call: OpenCall
  readonly question: Question
  readonly timer: ReturnType<typeof setTimeout>
}

const QUESTION_NAME = 'allow'

export function createSuspendedCalls(answerTimeoutMs = ANSWER_TIMEOUT_MS): SuspendedCalls {
  const waitingCalls = new Map<string, WaitingCall>()

  function suspend(call: OpenCall, question: Question): InputRequiredResult {
    const id = randomUUID()
    const timer = setTimeout(() => {
      waitingCalls.delete(id)
      question.answer(undefined)
    }, question.timeoutMs)
    waitingCalls.set(id, { call, question, timer })
    return inputRequired({ inputRequests: { [QUESTION_NAME]: question.request }, requestState: id })
  }

  async function waitForOutcome(call: OpenCall, round: Round): Promise<CallOutcome> {
    const abort = () => call.abort.abort(round.signal.reason)
    round.signal.addEventListener('abort', abort, { once: true })
    if (round.signal.aborted) abort()
    call.round = round
    const question = new Promise<undefined>((resolve) => {
      call.onQuestion = () => resolve(undefined)
      if (call.question) call.onQuestion()
    })
    try {
      const result = await Promise.race([call.result, question])
      if (result || !call.question) return await call.result
      const { question: nextQuestion } = call
      call.question = undefined
      return suspend(call, nextQuestion)
    } finally {
      round.signal.removeEventListener('abort', abort)
      call.round = undefined
    }
  }

  return {
    start: (client, round, run) => waitForOutcome(createCall(client, run, answerTimeoutMs), round),
    async resume(client, round, id, responses) {
      const waitingCall = typeof id === 'string' ? waitingCalls.get(id) : undefined
      if (typeof id !== 'string' || waitingCall?.call.client !== client) throw createExpiredError()
      waitingCalls.delete(id)
      const { call, question, timer } = waitingCall
      clearTimeout(timer)
      // The protocol asks servers to repeat a question without an answer.
      if (responses?.[QUESTION_NAME] === undefined) return suspend(call, question)
      question.answer(responses[QUESTION_NAME])
      return waitForOutcome(call, round)
    },
  }
}

function createCall(
  client: string,
  run: Parameters<SuspendedCalls['start']>[2],
  answerTimeoutMs: number,
): OpenCall {
  const abort = new AbortController()
  const elicit = (form: ElicitRequestFormParams, timeoutMs: number) =>
    new Promise<unknown>((resolve) => {
      call.question = { request: inputRequired.elicit(form), timeoutMs, answer: resolve }
      call.onQuestion()
    })
  const ask: AskUser = async (question, session) =>
    isAllowed(await elicit(formOf(question, session), answerTimeoutMs))
  const askForPerson: AskForPerson = async (request) =>
    noteOf(await elicit(personFormOf(request), request.timeout))
  const progress = (text: string): void => call.round?.progress(text)
  const call: OpenCall = {
    client,
    // In the next microtask, when `call` is defined.
    result: Promise.resolve().then(() => run({ signal: abort.signal, progress, ask, askForPerson })),
    abort,
    round: undefined,
    question: undefined,
    onQuestion: () => {},
  }
  // A call whose client does not come back has nobody to reject to.
  call.result.catch(() => {})
  return call
}

const createExpiredError = (): Error =>
  Object.assign(
    new Error('This question has expired or was answered: send the call again without requestState.'),
    {
      code: INVALID_PARAMS,
    },
  )

const ANSWER_TIMEOUT_MS = 60_000

/** A validator for the SDK that accepts every answer: `isAllowed` checks it. */
export const acceptAllValidator: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
}

/** Asks a client of the legacy era, on the stream of the tool call, because over HTTP it may have no other stream open. */
export const createAskUser =
  (server: Server, relatedRequestId: RequestId): AskUser =>
  async (question, session) => {
    try {
      const options = { timeout: ANSWER_TIMEOUT_MS, relatedRequestId }
      return isAllowed(await server.elicitInput(formOf(question, session), options))
    } catch {
      return false
    }
  }

/** Asks a client of the legacy era for a person to act in a session. */
export const createAskForPerson =
  (server: Server, relatedRequestId: RequestId): AskForPerson =>
  async (request) => {
    try {
      const { timeout, signal } = request
      return noteOf(await server.elicitInput(personFormOf(request), { timeout, signal, relatedRequestId }))
    } catch {
      return undefined
    }
  }

/** The form that asks a person. What the agent wrote is quoted: it may repeat a page. */
export const personFormOf = ({ session, reason }: PersonRequest): ElicitRequestFormParams => ({
  mode: 'form',
  message: `The agent asks you to do something in session ${showPageText(session, 'quoted')}: ${showPageText(reason, 'quoted')}. Its page is in its window; "footlight view" shows a page without one. Answer when it is done.`,
  requestedSchema: { type: 'object', properties: { note: { type: 'string', title: 'Note for the agent' } } },
})

/** The note of a user who accepted; undefined if they declined or did not answer. */
function noteOf(answer: unknown): { readonly note: string } | undefined {
  const { action, content } = (answer ?? {}) as { action?: unknown; content?: { note?: unknown } }
  if (action !== 'accept') return undefined
  return { note: typeof content?.note === 'string' ? content.note.slice(0, NOTE_LIMIT_CHARS) : '' }
}

const NOTE_LIMIT_CHARS = 2000

/** The form that the user sees. */
function formOf({ host, port, addresses }: HostQuestion, session: string): ElicitRequestFormParams {
  const isPunycode = host.split('.').some((label) => label.startsWith('xn--'))
  const warning = isPunycode ? ' Its name contains letters that may look like others.' : ''
  return {
    mode: 'form',
    message: `A page of session ${showPageText(session, 'quoted')} wants to open ${host} on port ${port}, which no rule allows. It resolves to ${addresses.join(', ')}.${warning} Allow this for this session for ten minutes?`,
    requestedSchema: {
      type: 'object',
      properties: { allow: { type: 'boolean', title: `Allow ${host}:${port}` } },
      required: ['allow'],
    },
  }
}

/** Whether the user filled in the form with a yes. */
function isAllowed(answer: unknown): boolean {
  const { action, content } = (answer ?? {}) as { action?: unknown; content?: { allow?: unknown } }
  return action === 'accept' && content?.allow === true
}
