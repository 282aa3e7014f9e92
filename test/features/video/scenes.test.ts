import { expect, test } from 'bun:test'
import type { VideoFrame } from '../../../src/features/video/encoding-page.ts'
import { createScenes, type Shot } from '../../../src/features/video/scenes.ts'
import type { Caption } from '../../../src/features/video/video.ts'

const pictureOf = (name: string) => ({ bytes: Buffer.from(name), width: 10, height: 10, secretBoxes: [] })
const shotOf = (name: string, time: number, isPressed = false): Shot => ({
  picture: pictureOf(name),
  isPressed,
  time,
})
const first: VideoFrame = { picture: pictureOf('start'), isPressed: false, caption: '' }
const done = (text: string): Caption => ({ kind: 'action', text })
const verified = (text: string): Caption => ({ kind: 'check', text })

/** What a viewer sees, step by step: picture, caption, number of the action. */
function play(steps: readonly (readonly [readonly Shot[], readonly Caption[], isUnderWay?: boolean])[]) {
  const scenes = createScenes(first)
  return steps.flatMap(([shots, captions, isUnderWay = false], index) =>
    scenes
      .add({ shots, captions, isUnderWay, now: 1000 * index })
      .map(({ frame, action }) => [Buffer.from(frame.picture.bytes).toString(), frame.caption, action]),
  )
}

test('pictures of an action under way have its caption, not the one before', () => {
  expect(
    play([
      [[shotOf('list', 1)], [done('Opened /')]],
      [[shotOf('list', 2, true), shotOf('cart', 3)], [], true],
      [[shotOf('cart full', 4)], [done('Clicked Add')]],
    ]),
  ).toEqual([
    ['list', 'Opened /', 1],
    ['list', 'Clicked Add', undefined],
    ['cart', 'Clicked Add', 2],
    ['cart full', 'Clicked Add', 2],
  ])
})

test('each action has a frame, also where several end before a picture, and where there is none', () => {
  expect(
    play([
      [[shotOf('b', 1)], [done('A'), done('B')]],
      [[], [done('C')]],
    ]),
  ).toEqual([
    ['start', 'A', 1],
    ['b', 'B', 2],
    ['b', 'C', 3],
  ])
})

test('what was verified joins the caption of what it was verified of', () => {
  expect(
    play([
      [[shotOf('order', 1)], [done('Clicked Order')]],
      [[shotOf('thanks', 2)], [verified('Thanks is shown')]],
      [[shotOf('thanks', 3)], [verified('3 is shown')], true],
      [[shotOf('list', 4)], [done('Went back')]],
    ]),
  ).toEqual([
    ['order', 'Clicked Order', 1],
    ['thanks', 'Clicked Order – verified: Thanks is shown', 1],
    ['thanks', 'Clicked Order – verified: Thanks is shown, 3 is shown', 1],
    ['thanks', 'Went back', 2],
    ['list', 'Went back', 2],
  ])
})

test('an action that never ends fills no memory: its pictures are shown with the caption before', () => {
  const steps = Array.from({ length: 100 }, (_, index) => [[shotOf(`${index}`, index)], [], true] as const)
  expect(play(steps).length).toBe(75)
})
