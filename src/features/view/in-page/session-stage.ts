import type { Size } from '../../../core/base/geometry.ts'
import { createCommentForm } from './comment-form.ts'
import { createInput } from './person-input.ts'
import { createPointing } from './pointing.ts'
import type { CallServer, ServedFrame, ServedSession, ViewAnswer } from './view-answers.ts'

interface StageOptions {
  readonly viewer: string
  readonly call: CallServer
  readonly describeControl: (session: ServedSession) => string
  readonly describeFailures: (session: ServedSession) => string
  /** Lists the sessions again. */
  readonly refresh: () => Promise<void>
  /** Shows a sentence, or none. */
  readonly report: (text: string) => void
}

export interface Stage {
  /** Begins with another session, or none. */
  open(session: ServedSession | undefined): void
  /** Its newest facts; undefined once it is closed. */
  update(session: ServedSession | undefined): void
  setFrame(frame: ServedFrame): void
  /** Reads its pins anew. */
  updatePins(): Promise<void>
}

/** One session large: its picture, who is in control, and what a person does there. */
export function createStage({
  viewer,
  call,
  describeControl,
  describeFailures,
  refresh,
  report,
}: StageOptions): Stage {
  const find = <T extends HTMLElement>(id: string) => document.querySelector<T>(`#${id}`)!
  const [stage, picture, field] = [
    find('stage'),
    find<HTMLImageElement>('picture'),
    find<HTMLTextAreaElement>('keys'),
  ]
  const [takeButton, pointButton] = [find<HTMLButtonElement>('take'), find<HTMLButtonElement>('point')]
  const [returnForm, note] = [find<HTMLFormElement>('return'), find<HTMLInputElement>('note')]
  let session: ServedSession | undefined
  let size: Size | undefined
  let [isMine, isPicking, isTaking, isReturning] = [false, false, false, false]
  const ask = async (method: string, params: object): Promise<ViewAnswer> =>
    session
      ? call(session.server, method, { session: session.id, ...params })
      : { ok: false, text: 'This session is closed.' }
  const pointOf = ({ clientX, clientY }: MouseEvent) => {
    const { left, top, width, height } = picture.getBoundingClientRect()
    const scale = (part: number, size: number, whole: number) =>
      Math.min(Math.max(0, whole - 1), Math.max(0, Math.round((part * whole) / size)))
    return {
      x: scale(clientX - left, width, size?.width ?? 0),
      y: scale(clientY - top, height, size?.height ?? 0),
    }
  }
  async function giveBack(): Promise<void> {
    isReturning = field.hidden = true
    await input.finish()
    const answer = await ask('giveBack', { viewer, note: note.value })
    isReturning = false
    report(answer.ok ? '' : answer.text)
    if (!answer.ok) return refresh()
    note.value = ''
    setMine(false)
    takeButton.focus()
    await refresh()
  }
  const input = createInput({
    field,
    pointOf,
    async send(inputs) {
      const answer = await ask('sendInput', { viewer, inputs })
      report(answer.ok ? '' : answer.text)
      return answer.ok
    },
    onReturn: () => void giveBack(),
  })
  const pointing = createPointing({
    stage,
    pointOf,
    size: () => size,
    ask,
    report,
    onPicking(next) {
      isPicking = next
      field.hidden = !isMine || isPicking
    },
    onChosen: () => comments.open(),
  })
  const comments = createCommentForm({ pointing: () => pointing, ask, report, size: () => size })
  takeButton.addEventListener('click', () => {
    isTaking = takeButton.disabled = true
    report('The session is yours once the call that runs has ended.')
    void ask('takeOver', { viewer }).then(async (answer) => {
      isTaking = false
      report(answer.ok ? '' : answer.text)
      if (answer.ok) setMine(true)
      await refresh()
    })
  })
  returnForm.addEventListener('submit', (event) => {
    event.preventDefault()
    void giveBack()
  })
  function setMine(next: boolean): void {
    if (isMine && !next) {
      input.reset()
      if (document.activeElement === field) takeButton.focus()
    }
    const isNew = next && !isMine
    isMine = next
    stage.classList.toggle('mine', next)
    takeButton.hidden = next
    returnForm.hidden = !next
    field.hidden = !next || isPicking || isReturning
    if (isNew) field.focus()
    pointing.setActive(!next)
  }
  function update(next: ServedSession | undefined): void {
    const control = next?.control
    session = next
    pointButton.disabled = next === undefined
    takeButton.disabled = isTaking || next === undefined
    find('reason').textContent = next
      ? describeControl(next)
      : 'This session is closed, or its server has ended.'
    const isYours = control?.by === 'person' && control.isYou
    if (isMine && !isYours) report('You are no longer in control.')
    setMine(isYours)
    if (!next) return
    const { name, folder, branch, url, browser, serverUrl } = next
    find('name').textContent = name
    takeButton.classList.toggle('wanted', control?.by === 'nobody')
    find('failures').textContent = describeFailures(next)
    const serverFact = serverUrl && !url.startsWith(serverUrl) && `dev server ${serverUrl}`
    find('facts').textContent = [url, serverFact, folder, branch, browser].filter(Boolean).join(' · ')
    picture.alt = `The page of ${name}`
  }
  return {
    update,
    updatePins: comments.update,
    open(next) {
      setMine(false)
      size = undefined
      picture.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='
      picture.style.aspectRatio = ''
      report('')
      note.value = ''
      comments.reset()
      update(next)
    },
    setFrame({ base64, width, height }) {
      if (size?.width !== width || size.height !== height) {
        size = { width, height }
        picture.width = width
        picture.height = height
        picture.style.aspectRatio = `${width} / ${height}`
        stage.style.setProperty('--ratio', String(width / height))
      }
      picture.src = `data:image/jpeg;base64,${base64}`
    },
  }
}
