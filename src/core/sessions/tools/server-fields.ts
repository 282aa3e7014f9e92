import * as v from 'valibot'
import { invalidParameter, type Outcome } from '../../base/failure.ts'
import { err, map, ok } from '../../base/result.ts'
import { type FieldText, type FieldTexts, omit } from '../../tool/field-texts.ts'
import {
  argument,
  ARGUMENT_LIMIT_CHARS,
  described,
  environment,
  filePath,
  integerBetween,
  text,
} from '../../tool/fields.ts'
import type { DevServer, ServerRequest } from '../types/servers.ts'
import { defineSessionFields } from './session-fields.ts'

export const logPathsOutput = v.object({ stdout: v.string(), stderr: v.string(), combined: v.string() })

/** The input fields of create_session for a dev server. */
export const serverInput = {
  command: v.optional(
    described(
      v.union([
        v.pipe(argument(ARGUMENT_LIMIT_CHARS), v.minLength(1)),
        v.pipe(v.array(argument(ARGUMENT_LIMIT_CHARS)), v.minLength(1), v.maxLength(1000)),
      ]),
      'Dev server; array: no shell',
    ),
  ),
  commandPath: v.optional(
    described(filePath, 'Or a program with --start|--restart|--status|--shutdown, printing JSON'),
  ),
  args: v.optional(
    described(v.pipe(v.array(argument(ARGUMENT_LIMIT_CHARS)), v.maxLength(1000)), 'Of commandPath'),
  ),
  cwd: v.optional(described(filePath, 'Of the server')),
  env: environment,
  port: v.optional(
    described(
      v.union([integerBetween(1, 65_535), v.picklist(['none'])]),
      'PORT, or none. Vite: --port $PORT',
    ),
  ),
  readyUrl: v.optional(described(v.pipe(text(2000), v.url('a URL')), 'Ready when it answers; reused if so')),
  readyTimeout: v.optional(described(integerBetween(1, 600_000), 'ms; 60000')),
}

export const serverFields = defineSessionFields({
  entries: serverInput,
  unrepeated: ['env'],
  read: (input) => map(readServerRequest(input), (server) => ({ request: { server } })),
})

/** The dev server that the fields ask for; INVALID_PARAMETERS if they contradict each other. */
export function readServerRequest(
  input: Readonly<Record<string, unknown>>,
): Outcome<ServerRequest | undefined> {
  const names = Object.keys(serverInput).filter((name) => input[name] !== undefined)
  const fields = Object.fromEntries(names.map((name) => [name, input[name]]))
  return checkServerFields(fields, 'command' in fields, 'commandPath' in fields)
}

function checkServerFields(
  fields: Record<string, unknown>,
  hasCommand: boolean,
  hasPath: boolean,
): Outcome<ServerRequest | undefined> {
  const [firstField] = Object.keys(fields)
  if (firstField === undefined) return ok(undefined)
  const invalid = (expected: string, received: string): Outcome<never> =>
    err(invalidParameter('command', expected, received))
  if (hasCommand && hasPath) return invalid('either command or commandPath', 'both')
  if (hasCommand && 'args' in fields)
    return invalid('args only with commandPath; include them in command', 'both')
  const conflict = ['port', 'readyUrl'].find((field) => hasPath && field in fields)
  if (conflict) return invalid(`no ${conflict} with commandPath, whose output has it`, conflict)
  if (!hasCommand && !hasPath) return invalid(`command or commandPath with ${firstField}`, 'neither')
  return ok(fields as ServerRequest)
}

/** How the fields of a server read: what is for programs only is left out. */
export const serverTexts: FieldTexts = { port: omit, pid: omit, startedAt: omit }

export const nameText: FieldText = (name: string, { message }) =>
  String(message).includes(name) ? [] : [`name: ${name}`]

export const serverFieldsOf = ({ url, port, pid, startedAt, logs, output }: DevServer) => ({
  url,
  port,
  startedAt,
  pid,
  ...(logs && { logs: { stdout: logs.stdout, stderr: logs.stderr, combined: logs.combined } }),
  ...(output && output.length > 0 && { serverOutput: [...output] }),
})
