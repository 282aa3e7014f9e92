// What a session begins with: a state that is given, one by its name, or a profile.

import * as v from 'valibot'
import { invalidParameter, type Outcome } from '../../core/base/failure.ts'
import type { NamedState } from '../../core/base/files/files.ts'
import { err, map, ok } from '../../core/base/result.ts'
import type { StorageState } from '../../core/base/storage.ts'
import { clip } from '../../core/base/text/clip.ts'
import { defineSessionFields } from '../../core/sessions/tools/session-fields.ts'
import { described, shortText } from '../../core/tool/fields.ts'
import { parseStorageState } from './parse-storage-state.ts'

export const stateFields = defineSessionFields({
  before: 'ignoreHTTPSErrors',
  entries: {
    storageState: v.optional(described(v.looseObject({}), 'As saved')),
    restore: v.optional(described(shortText, 'Named state, loaded and saved')),
    profile: v.optional(described(shortText, 'Kept by name')),
  },
  unrepeated: ['storageState'],
  read({ storageState, restore, profile }) {
    const starts = Object.entries({ storageState, restore, profile })
    const [first, second] = starts.filter(([, value]) => value !== undefined)
    if (first && second) {
      const received = typeof second[1] === 'string' ? clip(second[1], 100) : second[1]
      return err(invalidParameter(second[0], `none with ${first[0]}`, JSON.stringify(received)))
    }
    return map(readStorageState(storageState), (state) => ({
      request: { storageState: state, restore, profile },
      describe: ({ namedState }) => namedState && describeState(namedState),
    }))
  },
})

// --- internal ---

const readStorageState = (input: unknown): Outcome<StorageState | undefined> =>
  input === undefined ? ok(undefined) : parseStorageState(input, 'storageState')

const describeState = ({ name, state, isSaved, profileFolder }: NamedState): string => {
  if (profileFolder !== undefined) return `${state ? 'Profile' : 'New profile'} ${name}: what it has stays.`
  const content = state ? `State ${name} is loaded` : `There is no state ${name} yet`
  return isSaved
    ? `${content}; it is saved when the session closes.`
    : `${content}; another open session saves it, this one does not.`
}
