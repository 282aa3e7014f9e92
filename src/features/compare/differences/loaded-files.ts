// Which changed files a step has loaded, by the paths of its requests.

import type { ChangedFile } from '../../lib/changes/changed-file.ts'
import { isBeside } from './explain.ts'

/** Scripts before documents before styles. */
export function findLoaded(changed: readonly ChangedFile[], paths: readonly string[]): readonly string[] {
  const rank = (path: string) => (/\.[cm]?[jt]sx?$/.test(path) ? 0 : /\.html?$/.test(path) ? 1 : 2)
  return changed
    .map(({ path }) => path)
    .filter((path) => !isBeside(path) && paths.some((one) => isServedAt(path, one)))
    .toSorted((a, b) => rank(a) - rank(b))
}

// --- internal ---

const VIEW_FILE = /\.(html?|ejs|hbs|mustache|pug|njk|liquid|erb|twig|php|[jt]sx|vue|svelte|astro|mdx?|marko)$/
/** The name of a file that stands for its folder. */
const FOLDER_VIEW = /(^|\/)(index|page|\+page|default|home)$/

const isServedAt = (file: string, path: string): boolean =>
  path === `/${file}` ||
  (path.length > 1 && file.endsWith(path)) ||
  path.endsWith(`/${file}`) ||
  (VIEW_FILE.test(file) && isViewOf(file, path))

// A server has its views in a folder of its own: /cart is views/cart.html, pages/cart.vue or app/cart/page.tsx.
function isViewOf(file: string, path: string): boolean {
  if (/\.\w+$/.test(path)) return false
  const name = file.replace(/(\.[a-z]+){1,2}$/, '')
  const place = name.replace(FOLDER_VIEW, '')
  const request = path.replace(/\/$/, '')
  if (request === '')
    return place !== name && !place.replace(/^.*(pages|views|routes|app|public|src|templates)\b/, '')
  return `/${place}`.endsWith(request)
}
