// The pins of one session: what people set is kept here until it is sent, the agent gets what is sent and answers it, and both learn where
// the elements are now.

import type { Outcome } from '../../core/base/failure.ts'
import type { Image } from '../../core/base/image.ts'
import { err, map, ok } from '../../core/base/result.ts'
import type { Deadline } from '../../core/base/system/deadline.ts'
import { createDeadline, race } from '../../core/base/system/race-deadline.ts'
import { createDeferred, type Deferred } from '../../core/base/system/settle-within.ts'
import type { Clock } from '../../core/base/system/timer.ts'
import type { OwnedSession } from '../../core/sessions/types/owned-session.ts'
import type { Comment, Comments } from '../../core/sessions/types/person.ts'
import type { NewSession, SessionFeature } from '../../core/sessions/types/session-feature.ts'
import type { CommentedElement, ViewedPin } from './in-page/viewed-session.ts'
import { withoutFragment } from './pin-places.ts'
import {
  addPin,
  answerPins,
  editPin,
  noPins,
  type Pin,
  type Pins,
  placePin,
  readPins,
  removePin,
  sendPins,
  unreadPins,
} from './pins.ts'
import type {} from './viewed-page.ts'

declare module '../../core/sessions/types/owned-session.ts' {
  interface OwnedSession {
    readonly pins: SessionPins
  }
}

interface SessionPins {
  /** With their places now. */
  list(): Promise<readonly ViewedPin[]>
  /** Sets a pin with a picture of its element. Fails where there are too many. */
  add(element: CommentedElement, note: string): Promise<Outcome<void>>
  edit(number: number, note: string): void
  remove(number: number): void
  send(): void
}

/** Keeps the comments of people until the agent waits for them or has another answer. */
export function addPins({ record: { id }, ports: { clock } }: NewSession): SessionFeature {
  const store = createStore()
  return {
    open: (session) => ({
      pins: createSessionPins(store, session, clock),
      answerComments: (answers) => map(answerPins(store.pins(), answers), store.change),
      waitForComments: async ({ signal, timeout, remaining }) => {
        const event = await race(remaining(), [signal], () =>
          Promise.race([store.waitForSent(), session.control.waitForPerson()]),
        )
        const next = await deliver(store, session, clock, true)
        if (next.comments.length > 0) return ok(next)
        return 'value' in event
          ? err({ code: 'SESSION_BUSY', sessionId: id, reason: 'person' })
          : err({ code: 'TIMEOUT', waitedFor: 'a comment in footlight view', waited: timeout })
      },
    }),
    async describeCall({ session }, data) {
      // One that waited for comments has its own.
      const isOther = !('comment' in data || 'comments' in data)
      if (!isOther || unreadPins(store.pins()).length === 0) return undefined
      const { comments } = await deliver(store, session, clock, false)
      return { data: { comments } }
    },
  }
}

// --- internal ---

interface Store {
  pins(): Pins
  change(next: Pins): void
  /** Resolves when a batch waits for the agent. */
  waitForSent(): Promise<void>
}

function createStore(): Store {
  let pins = noPins
  const waits = new Set<Deferred<void>>()
  return {
    pins: () => pins,
    change(next) {
      pins = next
      if (unreadPins(pins).length === 0) return
      for (const { resolve } of waits) resolve()
      waits.clear()
    },
    waitForSent() {
      if (unreadPins(pins).length > 0) return Promise.resolve()
      const wait = createDeferred()
      waits.add(wait)
      return wait.promise
    },
  }
}

function createSessionPins({ pins, change }: Store, session: OwnedSession, clock: Clock): SessionPins {
  return {
    async list() {
      const { list } = pins()
      const open = list.filter(({ state }) => state !== 'done')
      const places = await locate({ pins, change }, session, open, clock)
      const boxes = new Map(open.map(({ number }, index) => [number, places[index]]))
      return session.redactor.redactData(pins().list.map((pin) => toViewed(pin, boxes.get(pin.number))))
    },
    async add(element, note) {
      const deadline = deadlineOf(clock)
      const { page } = session
      const locator = await page.locatorOfRef(element.ref, deadline)
      const image = await takePicture(session, element, deadline)
      const url = withoutFragment(page.url())
      const pin = { ...element, note, url, image, locator: locator.ok ? locator.value : undefined }
      return map(addPin(pins(), pin), change)
    },
    edit: (number, note) => change(editPin(pins(), number, note)),
    remove: (number) => change(removePin(pins(), number)),
    send: () => change(sendPins(pins())),
  }
}

type PinStore = Pick<Store, 'pins' | 'change'>

/** Where their elements are now, which the pins keep. */
async function locate(store: PinStore, { page }: OwnedSession, list: readonly Pin[], clock: Clock) {
  const places = list.length > 0 ? await page.placesOf(list, deadlineOf(clock)) : []
  for (const [index, place] of places.entries()) {
    const pin = list[index]
    if (pin && place) store.change(placePin(store.pins(), pin.number, placeOf(place)))
  }
  return places
}

/** The next batch as the agent gets it. Pictures are files, but for one alone that is waited for. */
async function deliver(
  store: PinStore,
  session: OwnedSession,
  clock: Clock,
  isAwaited: boolean,
): Promise<Comments> {
  const batch = unreadPins(store.pins())
  store.change(readPins(store.pins(), batch))
  await locate(store, session, batch, clock)
  const numbers = new Set(batch.map(({ number }) => number))
  const newest = store.pins().list.filter(({ number }) => numbers.has(number))
  const [only, ...others] = newest
  if (only && others.length === 0 && isAwaited)
    return { comments: [toComment(only, session)], image: only.image }
  const comments: Comment[] = []
  for (const pin of newest) comments.push(toComment(pin, session, await writePicture(session, pin)))
  return { comments }
}

const PAGE_TIMEOUT_MS = 2000
const PICTURE_WIDTH_PX = 800

const deadlineOf = (clock: Clock): Deadline =>
  createDeadline(PAGE_TIMEOUT_MS, new AbortController().signal, clock)

type Places = Awaited<ReturnType<OwnedSession['page']['placesOf']>>
type Place = Places[number]

const placeOf = (place: NonNullable<Place>) =>
  place === 'gone' ? { isGone: true } : { isGone: false, ref: place.ref }

const labelOf = ({ role, name }: CommentedElement): string =>
  name === '' ? role : `${role} ${JSON.stringify(name)}`

const toComment = (pin: Pin, { redactor }: OwnedSession, picture?: string): Comment => ({
  number: pin.number,
  ref: pin.ref,
  name: labelOf(pin),
  ...(pin.locator && { locator: redactor.redactText(pin.locator.code) }),
  source: pin.source,
  note: pin.note,
  ...(pin.isGone && { missing: true }),
  picture,
})

const toViewed = (pin: Pin, place: Place): ViewedPin => ({
  number: pin.number,
  name: labelOf(pin),
  source: pin.source,
  note: pin.note,
  state: pin.state,
  answer: pin.answer,
  isGone: pin.isGone,
  box: place === 'gone' ? undefined : place?.box,
})

async function takePicture(
  { page }: OwnedSession,
  { ref }: CommentedElement,
  deadline: Deadline,
): Promise<Image | undefined> {
  const picture = await page.screenshot(
    { target: { ref }, format: 'jpeg', maxWidth: PICTURE_WIDTH_PX },
    deadline,
  )
  return picture.ok ? picture.value.images[0] : undefined
}

async function writePicture({ folder }: OwnedSession, { number, image }: Pin): Promise<string | undefined> {
  const file = image && (await folder.write(`comment-${number}.jpeg`, image.bytes))
  return file?.ok ? file.value.path : undefined
}
