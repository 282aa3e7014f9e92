declare const FOOTLIGHT_VERSION: string | undefined

/** Put in by build.ts; a run from the sources says so. */
export const VERSION: string = typeof FOOTLIGHT_VERSION === 'string' ? FOOTLIGHT_VERSION : '0.0.0-source'
