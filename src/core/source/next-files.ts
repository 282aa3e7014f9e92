// The files of a Next server behind URLs of scripts that no request has. Next answers with the source maps of its files.

/** The file that has a component which ran on the server: React gives its positions URLs of their own. */
export const serverComponentFile = (url: string): string | undefined =>
  /^(?:about|rsc):\/\/React\/[^/]+\/(file:\/\/[^?#]+)/.exec(url)?.[1]

/** The chunk and the module in it that were put into a running page after an edit, in the folders that versions of Next build to, as URLs
 * below `folder`, a `file:` URL. Nothing for other URLs. */
export function updatedModuleFiles(url: string, folder: string): readonly string[] {
  const path = /^https?:\/\/[^?#]+\/_next\/(static\/[^?#]+\?id=.+)$/.exec(url)?.[1]
  return path === undefined ? [] : OUTPUT_FOLDERS.map((output) => `${folder}/${output}/${path}`)
}

// --- internal ---

const OUTPUT_FOLDERS = ['.next/dev', '.next']
