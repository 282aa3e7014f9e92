// What a frame of a video looks like: the picture of the page with the mouse, and the caption below it.

import type { Box, Point } from '../../../core/base/geometry.ts'

/** Points and boxes are in CSS pixels of the viewport, whose size is `width` × `height`. */
export interface DrawnFrame {
  /** In base64. */
  readonly jpeg: string
  readonly width: number
  readonly height: number
  readonly secretBoxes: readonly Box[]
  /** Of the mouse. */
  readonly point?: Point
  /** Whether a button is pressed there. */
  readonly isPressed: boolean
  readonly caption: string
}

/** The place of captions, and the size of their letters where the text has room. */
export interface CaptionSize {
  readonly height: number
  readonly fontSize: number
}

/** Draws a frame into a box, whose lowest pixels are the caption. */
export async function drawFrame(
  canvas: CanvasRenderingContext2D,
  { jpeg, width, height, secretBoxes, point, isPressed, caption }: DrawnFrame,
  box: Box,
  { height: captionHeight, fontSize }: CaptionSize,
): Promise<void> {
  const SMALLEST_FONT_PIXELS = 8
  const LINE_HEIGHT = 1.3
  const PADDING_PIXELS = 8

  const image = new Image()
  image.src = `data:image/jpeg;base64,${jpeg}`
  await image.decode()
  const pictureHeight = box.height - captionHeight
  const scale = Math.min(box.width / width, pictureHeight / height)
  const left = box.x + (box.width - width * scale) / 2
  const top = box.y + (pictureHeight - height * scale) / 2

  function drawRing(): void {
    for (const [color, lineWidth] of [
      ['rgba(255,255,255,0.9)', 7],
      ['rgb(220,38,38)', 4],
    ] as const) {
      canvas.beginPath()
      canvas.arc(0, 0, 19, 0, 2 * Math.PI)
      canvas.strokeStyle = color
      canvas.lineWidth = lineWidth
      canvas.stroke()
    }
  }

  function drawPointer(x: number, y: number): void {
    const size = Math.max(0.5, Math.min(1, box.width / 640))
    canvas.save()
    canvas.translate(left + x * scale, top + y * scale)
    canvas.scale(size, size)
    if (isPressed) drawRing()
    const arrow = new Path2D('M0 0V19L4.6 14.9L7.7 22L11 20.6L8 13.7H14Z')
    canvas.fillStyle = 'black'
    canvas.strokeStyle = 'white'
    canvas.lineWidth = 3
    canvas.lineJoin = 'round'
    canvas.stroke(arrow)
    canvas.fill(arrow)
    canvas.restore()
  }

  function drawCaption(): void {
    const y = box.y + pictureHeight
    canvas.fillStyle = 'rgb(24,24,27)'
    canvas.fillRect(box.x, y, box.width, captionHeight)
    canvas.fillStyle = 'white'
    canvas.textBaseline = 'middle'
    let size = fontSize
    let lines = breakLines(size)
    while (size > SMALLEST_FONT_PIXELS && lines.length * size * LINE_HEIGHT > captionHeight)
      lines = breakLines(--size)
    const top = y + (captionHeight - (lines.length - 1) * size * LINE_HEIGHT) / 2
    for (const [index, line] of lines.entries())
      canvas.fillText(line, box.x + PADDING_PIXELS, top + index * size * LINE_HEIGHT)
  }

  /** The caption in letters of this size. A word that is longer than a line is broken too. */
  function breakLines(size: number): readonly string[] {
    canvas.font = `${size}px system-ui, sans-serif`
    const fits = (text: string) => canvas.measureText(text).width <= box.width - 2 * PADDING_PIXELS
    const lines: string[] = []
    let line = ''
    for (const part of caption.split(/(?<=\s)/u)) {
      if (line !== '' && !fits(line + part.trimEnd())) {
        lines.push(line)
        line = ''
      }
      for (const character of part) {
        if (!fits(line + character) && character.trim() !== '') {
          lines.push(line)
          line = ''
        }
        line += character
      }
    }
    return line === '' ? lines : [...lines, line]
  }

  canvas.save()
  canvas.beginPath()
  canvas.rect(box.x, box.y, box.width, box.height)
  canvas.clip()
  canvas.fillStyle = 'black'
  canvas.fillRect(box.x, box.y, box.width, box.height)
  canvas.imageSmoothingQuality = 'high'
  canvas.drawImage(image, left, top, width * scale, height * scale)
  canvas.fillStyle = 'rgb(82,82,91)'
  for (const secret of secretBoxes)
    canvas.fillRect(
      left + (secret.x - 1) * scale,
      top + (secret.y - 1) * scale,
      (secret.width + 2) * scale,
      (secret.height + 2) * scale,
    )
  if (point) drawPointer(point.x, point.y)
  drawCaption()
  canvas.restore()
}
