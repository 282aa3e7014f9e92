// A command line of the shell as the calls that it means. All mistakes that can be seen without a server are found here.

import { resolve } from 'node:path'
import { err, map, ok, type Result } from '../../core/base/result.ts'
import { clip } from '../../core/base/text/clip.ts'
import { findClosestName } from '../../core/base/text/closest-name.ts'
import { fillForm } from '../../core/browser/tools/form.ts'
import { commandNames } from '../../core/cli/commands/commands.ts'
import { hintFor } from '../../core/mcp/calls/tool-names.ts'
import { steps } from '../../core/sessions/tools/steps.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { Fields, Verb } from '../../core/tool/verb.ts'
import { describeProblem } from '../lib/calls/check-input.ts'
import { type ShellCommandLine, splitSessionOption } from '../lib/socket/shell-message.ts'
import { type Arguments, readArguments } from './read-arguments.ts'
import { readWords, resolvePaths } from './read-words.ts'
import { splitWords } from './split-words.ts'
import { parseTarget } from './target.ts'
import { findVerb, verbNames } from './verbs.ts'

export interface ShellCall {
  readonly tool: Tool
  readonly input: Fields
  /** Where the caller wants the file of the answer. */
  readonly saveAs?: string
}

/** `open` and `up`: `create` opens the session if it is not open, `options` are those that only a new session has. */
export interface Opening {
  readonly create: ShellCall
  /** Loads the file of a storage state into the new session. */
  readonly load?: ShellCall
  readonly navigate: ShellCall
  readonly options: readonly string[]
  readonly hasServer: boolean
}

export type ShellAction =
  | { readonly kind: 'help'; readonly verb: Verb }
  | ({ readonly kind: 'open' } & Opening)
  | { readonly kind: 'closeAll' }
  /** `opening` is the first line, if that opens the session. */
  | {
      readonly kind: 'steps'
      readonly opening?: Opening
      readonly calls: readonly ShellCall[]
      readonly input: Fields
    }
  | ({ readonly kind: 'call'; readonly judge?: Verb['judge']; readonly isCi?: boolean } & ShellCall)

export interface ShellCommand {
  readonly session: string
  readonly format: Arguments['format']
  readonly action: ShellAction
}

type ParseInput = Pick<ShellCommandLine, 'argv' | 'cwd' | 'stdin'>

export const DEFAULT_SESSION = 'default'

/** Errors are sentences. */
export function parseShellCommand({ argv, cwd, stdin }: ParseInput): Result<ShellCommand, string> {
  const option = splitSessionOption(argv)
  const { session = DEFAULT_SESSION } = option
  const [name = '', ...words] = option.words
  if (session === '')
    return err(`-s needs the name of a session. For example: footlight -s ada open localhost:5173`)
  const command = parseWords(name, words, { session, cwd, stdin })
  const verb = findVerb(name)
  return command.ok || !verb ? command : err(`${command.error} For example: ${exampleOf(verb)}`)
}

// --- internal ---

interface Surroundings {
  readonly session: string
  readonly cwd: string
  readonly stdin?: string | undefined
}

const exampleOf = ({ examples: [example] }: Verb): string => `footlight ${example}`

function describeUnknownVerb(name: string): string {
  if (name === '') return 'a verb is missing. For example: footlight open localhost:5173'
  if (/^-/.test(name))
    return `the verb comes before its options. For example: footlight snap ${clip(name, 100)}`
  const closest = findClosestName(name, [...verbNames, ...commandNames])
  const verb = closest === undefined ? undefined : findVerb(closest)
  const hint = closest
    ? `Did you mean ${verb ? exampleOf(verb) : `footlight ${closest}`}?`
    : (hintFor(name) ?? 'footlight help agent lists the verbs. For example: footlight snap')
  return `unknown verb "${clip(name, 100)}". ${hint}`
}

function parseWords(
  name: string,
  words: readonly string[],
  surroundings: Surroundings,
): Result<ShellCommand, string> {
  const verb = findVerb(name)
  if (!verb) return err(describeUnknownVerb(name))
  const args = readArguments(verb, words)
  if (!args.ok) return err(`${name}: ${args.error}`)
  const { format, isHelp } = args.value
  const action = isHelp ? ok({ kind: 'help', verb } as const) : parseAction(verb, args.value, surroundings)
  return action.ok
    ? ok({ session: surroundings.session, format, action: action.value })
    : err(`${name}: ${action.error}`)
}

function parseAction(
  verb: Verb,
  { words, options }: Arguments,
  surroundings: Surroundings,
): Result<ShellAction, string> {
  const [name] = verb.names
  if (name === 'do') return parseLines(words, options, surroundings)
  const fields = readWords(verb, words, options)
  if (!fields.ok) return fields
  const { ci, ...rest } = { ...verb.fixed, ...fields.value, ...options } as Fields
  const input = resolvePaths(rest, surroundings.cwd)
  if (name === 'open' || name === 'up') return parseOpening(verb, input, surroundings)
  if (name === 'close' && input['all'] === true) return ok({ kind: 'closeAll' })
  return map(checkCall(callOf(verb, input, words, surroundings)), (call) => ({
    kind: 'call',
    ...call,
    ...(verb.judge && { judge: verb.judge, isCi: ci === true }),
  }))
}

function callOf(
  verb: Verb,
  input: Fields,
  words: readonly string[],
  { session, cwd }: Surroundings,
): ShellCall {
  const [name] = verb.names
  const [tool] = verb.tools
  const { clear: _, value, text, ref, selector, ...rest } = input
  if (name === 'fill' && words.length > 2)
    return { tool: fillForm, input: { ...rest, fields: pairsOf(words) } }
  if (name === 'check' || name === 'uncheck')
    return { tool, input: { ...rest, fields: [{ ...(ref !== undefined ? { ref } : { selector }), value }] } }
  if (tool.name === 'create_session') return { tool, input: creationOf(input, session, cwd) }
  if (name === 'shot' || name === 'pdf') {
    const { path, ...options } = input
    return { tool, input: options, ...(typeof path === 'string' && { saveAs: path }) }
  }
  if (tool.name === 'compare') return { tool, input: comparisonOf(input, cwd) }
  if (tool.name === 'run_test') return { tool, input: { path: cwd, ...input } }
  return { tool, input }
}

const pairsOf = (words: readonly string[]): readonly Fields[] =>
  words.flatMap((word, index) =>
    index % 2 === 0 ? [{ ...parseTarget(word, true).fields, value: words[index + 1] }] : [],
  )

/** Relative folders are those of the caller. */
function comparisonOf(input: Fields, cwd: string): Fields {
  const place = (value: unknown) =>
    typeof value === 'string' && /^\.{1,2}([\\/]|$)/.test(value) ? resolve(cwd, value) : value
  const folders = ['base', 'current'].flatMap((name) => (name in input ? [[name, place(input[name])]] : []))
  return {
    ...('command' in input && { cwd }),
    ...input,
    ...(Object.fromEntries(folders) as Fields),
  }
}

const creationOf = (input: Fields, session: string, cwd: string): Fields => ({
  name: session,
  ...(('command' in input || 'commandPath' in input) && { cwd }),
  ...input,
})

function parseOpening(
  { tools }: Verb,
  input: Fields,
  { session, cwd }: Surroundings,
): Result<ShellAction, string> {
  const [creation, navigation] = tools
  if (!navigation) return err('has no page.')
  const isOfPage = ([field]: readonly [string, unknown]) => field in navigation.input.entries
  const page = Object.fromEntries(Object.entries(input).filter(isOfPage))
  const options = Object.fromEntries(Object.entries(input).filter((entry) => !isOfPage(entry)))
  const { storageState: state, ...others } = options
  const loading = typeof state === 'string' ? findVerb('storage_state')?.tools[0] : undefined
  const created = loading ? others : options
  const create = checkCall({ tool: creation, input: creationOf(created, session, cwd) })
  if (!create.ok) return create
  const navigate = checkCall({ tool: navigation, input: { url: '/', ...page } })
  const hasServer = 'command' in options || 'commandPath' in options
  return map(navigate, (value) => ({
    kind: 'open',
    create: create.value,
    ...(loading && { load: { tool: loading, input: { action: 'load', path: state } } }),
    navigate: value,
    options: Object.keys(options),
    hasServer,
  }))
}

function checkCall({ tool, input, ...rest }: ShellCall): Result<ShellCall, string> {
  const url = input['url']
  const isAddress = typeof url === 'string' && ['navigate', 'tabs'].includes(tool.name)
  const call = { tool, input: isAddress ? { ...input, url: completeUrl(url) } : input, ...rest }
  const problem = describeProblem(tool, call.input)
  return problem === undefined ? ok(call) : err(problem)
}

/** The scheme that a browser would add. */
function completeUrl(url: string): string {
  if (/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=[:/?#]|$)/.test(url)) return `http://${url}`
  return /^[a-z\d-]+(\.[a-z\d-]+)+(:\d+)?([/?#]|$)/i.test(url) ? `https://${url}` : url
}

// The lines of `do`.
function parseLines(
  words: readonly string[],
  input: Fields,
  { session, cwd, stdin = '' }: Surroundings,
): Result<ShellAction, string> {
  const lines = words.length > 0 ? words : stdin.split(/\r?\n/)
  const numbered = lines
    .map((line, index) => [line.trim(), index + 1] as const)
    .filter(([line]) => line !== '' && !line.startsWith('#'))
  if (numbered.length === 0) return err('it needs lines, as words or from stdin.')
  let opening: Opening | undefined
  const calls: ShellCall[] = []
  for (const [index, [line, number]] of numbered.entries()) {
    const action = parseLine(line, session, cwd)
    if (!action.ok) return err(`line ${number}: ${action.error}`)
    const { value } = action
    if (value.kind === 'call' && value.saveAs === undefined)
      calls.push({ tool: value.tool, input: value.input })
    else if (value.kind === 'open' && index === 0) opening = value
    else if (value.kind === 'open' && value.options.length === 0) calls.push(value.navigate)
    else return err(`line ${number}: "${clip(line, 100)}" is a command of its own.`)
  }
  const problem = describeProblem(steps, { calls: calls.map(({ tool }) => ({ tool: tool.name })), ...input })
  if (problem !== undefined && (calls.length > 0 || !opening)) return err(problem)
  return ok({ kind: 'steps', opening, calls, input })
}

function parseLine(line: string, session: string, cwd: string): Result<ShellAction, string> {
  const split = splitWords(line)
  if (!split.ok) return split
  const [name = '', ...words] = split.value[0] === 'footlight' ? split.value.slice(1) : split.value
  if (/^-/.test(name)) return err('all lines have the session of do: footlight -s NAME do.')
  const command = parseWords(name, words, { session, cwd })
  if (!command.ok) return command
  return command.value.format === 'text' ? ok(command.value.action) : err('--json and --raw belong to do.')
}
