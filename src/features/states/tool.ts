import * as v from 'valibot'
import { invalidParameter, type Outcome } from '../../core/base/failure.ts'
import { err, map, ok } from '../../core/base/result.ts'
import {
  type StorageItem,
  type StorageKind,
  type StorageState,
  withoutPrivateKey,
} from '../../core/base/storage.ts'
import type { Deadline } from '../../core/base/system/deadline.ts'
import { definePageTool } from '../../core/sessions/tools/define-session-tool.ts'
import type { Page } from '../../core/sessions/types/page.ts'
import { anyText, described, filePath, text } from '../../core/tool/fields.ts'
import { SECRETS_NOTE } from '../../core/tool/file-fields.ts'
import { listPasskeys, loadState, readState, readStorage } from './page-storage.ts'
import { parseStorageState } from './parse-storage-state.ts'

export const storageState = definePageTool({
  name: 'storage_state',
  title: 'Storage state',
  description:
    "Save (to path, else shown) or load cookies, storage, passkeys; read, set, clear this origin's.",
  effect: 'acts',
  readsPageOutput: true,
  input: {
    action: v.picklist(['save', 'load', 'read', 'set', 'clear']),
    path: v.optional(filePath),
    kind: v.optional(
      described(v.picklist(['cookie', 'local', 'session', 'passkey']), 'passkey: virtual; set enables'),
    ),
    name: v.optional(v.pipe(text(4000), v.minLength(1))),
    value: v.optional(anyText(1_000_000)),
  },
  output: {
    success: v.boolean(),
    state: v.optional(v.any()),
    cleared: v.optional(v.number()),
    path: v.optional(v.string()),
    notes: v.optional(v.array(v.string())),
  },
  texts: {
    state: (state: object) => [JSON.stringify(state)],
  },
  async run({ action, path, value, kind, name }, page, deadline, { files }) {
    if (kind === 'passkey') return changePasskeys({ action, path, value, name }, page, deadline)
    if (action === 'read' || action === 'set' || action === 'clear')
      return changeStorage(action, { kind, name }, value, page, deadline)
    if (action === 'save') {
      const state = await readState(page)
      if (!state.ok) return state
      const notes = ['Secret values are redacted here; save to a path to get a state that can be loaded.']
      if (path === undefined) return ok({ data: { success: true, state: listedPartOf(state.value), notes } })
      const { bytes, isWhole } = encodeState(state.value)
      const fileNotes = [SECRETS_NOTE, ...(isWhole ? [] : [PARTIAL_NOTE])]
      return map(await files.create(path, bytes), (savedPath) => ({
        data: { success: true, path: savedPath, notes: fileNotes },
      }))
    }
    if (path === undefined) return err(invalidParameter('path', 'a saved storage state', 'nothing'))
    const bytes = await files.read(path)
    if (!bytes.ok) return bytes
    const state = parseStateFile(bytes.value)
    if (!state.ok) return state
    const result = await loadState(page, state.value)
    return result.ok ? ok({ data: { success: true, path } }) : result
  },
})

interface StorageAnswer {
  readonly data: { success: boolean; state?: object; cleared?: number; notes?: string[] }
}

interface PasskeyCall {
  readonly action: 'save' | 'load' | 'read' | 'set' | 'clear'
  readonly name: string | undefined
  readonly path: string | undefined
  readonly value: string | undefined
}

// IndexedDB may be large, and passkeys have private keys.
const listedPartOf = ({ cookies, origins }: StorageState): object => ({
  cookies,
  origins: origins.map(({ origin, localStorage }) => ({ origin, localStorage })),
})

const PASSKEYS_NOTE =
  'Pages that are loaded from now on can register and use passkeys here; the passkeys are kept by save, restore and profile.'

/** Passkeys are those of the session, for all domains. */
async function changePasskeys(
  { action, name, path, value }: PasskeyCall,
  page: Page,
  deadline: Deadline,
): Promise<Outcome<StorageAnswer>> {
  if (action === 'save' || action === 'load')
    return err(invalidParameter('kind', `none with action ${action}, which is for all kinds`, 'passkey'))
  const [extra] = Object.entries({ path, value }).find(([, field]) => field !== undefined) ?? []
  if (extra !== undefined) return err(invalidParameter(extra, 'none with kind passkey', 'a value'))
  if (action === 'read')
    return map(await listPasskeys(page, name), (passkeys) => ({
      data: { success: true, state: { passkeys } },
    }))
  const changed = await page.perform({ kind: 'passkeys', change: action, name }, deadline)
  if (!changed.ok) return changed
  if (action === 'clear') return ok({ data: { success: true, cleared: changed.value.length } })
  const passkeys = changed.value.map(withoutPrivateKey)
  return ok({
    data: { success: true, ...(passkeys.length > 0 && { state: { passkeys } }), notes: [PASSKEYS_NOTE] },
  })
}

async function changeStorage(
  action: 'read' | 'set' | 'clear',
  { kind, name }: { readonly kind?: StorageKind | undefined; readonly name?: string | undefined },
  value: string | undefined,
  page: Page,
  deadline: Deadline,
): Promise<Outcome<StorageAnswer>> {
  const query = { kind, name }
  const missing = Object.entries({ kind, name, value }).find(([, field]) => field === undefined)
  if (action === 'set' && missing)
    return err(invalidParameter(missing[0], 'a value with action set', 'nothing'))
  const storage = await (action === 'read'
    ? readStorage(page, query)
    : page.perform({ kind: 'storage', tool: 'storage_state', change: action, query, value }, deadline))
  if (!storage.ok) return storage
  const entries = Object.entries(storage.value) as [string, readonly StorageItem[]][]
  if (action === 'set') return ok({ data: { success: true } })
  if (action === 'clear')
    return ok({ data: { success: true, cleared: entries.reduce((sum, [, items]) => sum + items.length, 0) } })
  const state = Object.fromEntries(
    entries.map(([area, items]) => [area, name === undefined ? items.map(omitLongValue) : items]),
  )
  const isComplete = entries.every(([, items]) =>
    items.every(({ value }) => value.length <= LISTED_VALUE_CHARS),
  )
  const notes =
    isComplete || name !== undefined ? [] : ['Long values have only their length here; read one by its name.']
  return ok({ data: { success: true, state, ...(notes.length > 0 && { notes }) } })
}

const LISTED_VALUE_CHARS = 1000

// A part of a value could hide that it is a secret.
const omitLongValue = ({ value, ...item }: StorageItem) =>
  value.length <= LISTED_VALUE_CHARS ? { ...item, value } : { ...item, length: value.length }

/** The browser takes it as one message; an origin stores 5 MB. */
const STATE_LIMIT_BYTES = 10_000_000

const PARTIAL_NOTE = 'Without IndexedDB, with which the file would be too large to be loaded.'

function encodeState(state: StorageState): { readonly bytes: Uint8Array; readonly isWhole: boolean } {
  const encode = (value: object) => new TextEncoder().encode(JSON.stringify(value))
  const bytes = encode(state)
  if (bytes.length <= STATE_LIMIT_BYTES) return { bytes, isWhole: true }
  const origins = state.origins.map(({ origin, localStorage, sessionStorage }) => ({
    origin,
    localStorage,
    sessionStorage,
  }))
  return { bytes: encode({ ...state, origins }), isWhole: false }
}

function parseStateFile(bytes: Uint8Array): Outcome<StorageState> {
  if (bytes.length > STATE_LIMIT_BYTES)
    return err(
      invalidParameter(
        'path',
        `a storage state of at most ${STATE_LIMIT_BYTES} bytes`,
        `${bytes.length} bytes`,
      ),
    )
  try {
    return parseStorageState(JSON.parse(new TextDecoder().decode(bytes)), 'path')
  } catch {
    return parseStorageState('no JSON', 'path')
  }
}
