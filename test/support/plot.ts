// A plot as one SVG: panels one below the other, each with its own scales, so that a reader sees at a glance what grows.

export interface Panel {
  readonly title: string
  readonly unit: string
  /** What the x axis counts. */
  readonly axis: string
  readonly lines: readonly Line[]
  /** Moments worth a mark, with the same x as the lines. */
  readonly marks?: readonly number[]
}

export interface Line {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

const WIDTH = 760
const HEIGHT = 130
const LEFT = 72
const RIGHT = 150
const GAP = 72
const colours = ['#2563eb', '#dc2626', '#059669', '#9333ea', '#d97706', '#475569']
const grey = '#64748b'

export function plot(panels: readonly Panel[]): string {
  const height = panels.length * (HEIGHT + GAP)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui,sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    ...panels.map((panel, index) => drawn(panel, index * (HEIGHT + GAP) + 28)),
    '</svg>\n',
  ].join('\n')
}

function drawn({ title, unit, axis, lines, marks = [] }: Panel, top: number): string {
  const points = lines.flatMap((line) => line.points)
  const [from, to] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))]
  const most = Math.max(...points.map(([, y]) => y), 0) || 1
  const right = WIDTH - RIGHT
  const x = (value: number) => LEFT + ((value - from) / (to - from || 1)) * (right - LEFT)
  const y = (value: number) => top + HEIGHT - (value / most) * HEIGHT
  const path = (line: Line) =>
    line.points.map(([at, value], i) => `${i ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join('')
  const colour = (index: number) => colours[index % colours.length] ?? ''
  return [
    text(LEFT, top - 10, title, 'start', '#0f172a', ' font-weight="600"'),
    ...marks.map(
      (at) => `<path d="M${x(at).toFixed(1)} ${top}v${HEIGHT}" stroke="#e2e8f0" stroke-width="2"/>`,
    ),
    `<path d="M${LEFT} ${top}V${top + HEIGHT}H${right}" fill="none" stroke="#94a3b8"/>`,
    text(LEFT - 6, top + 10, `${round(most)} ${unit}`, 'end', grey),
    text(LEFT - 6, top + HEIGHT, '0', 'end', grey),
    ...lines.map(
      (line, i) => `<path d="${path(line)}" fill="none" stroke="${colour(i)}" stroke-width="1.5"/>`,
    ),
    ...lines.map(({ name }, i) => text(right + 8, top + 12 + i * 16, name, 'start', colour(i))),
    text(LEFT, top + HEIGHT + 16, round(from), 'middle', grey),
    text(right, top + HEIGHT + 16, round(to), 'middle', grey),
    text((LEFT + right) / 2, top + HEIGHT + 16, axis, 'middle', grey),
  ].join('\n')
}

const round = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2).replace(/\.?0+$/, '')

const text = (x: number, y: number, value: string, anchor: string, fill: string, more = ''): string =>
  `<text x="${x.toFixed(0)}" y="${y.toFixed(0)}" text-anchor="${anchor}" fill="${fill}"${more}>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`
