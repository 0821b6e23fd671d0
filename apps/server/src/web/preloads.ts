import { ConfigError } from '../config/config-error.ts'

/** The addresses of one screen, the scripts it is drawn with, and what it reads first when nothing is filtered. */
export type ScreenPreloads = {
  readonly matches: RegExp
  readonly files: readonly string[]
  readonly reads: readonly string[]
}

const read = /^\/api\/v1\/[\w/.-]+(?:\?[\w=&-]*)?$/

/**
 * Reads what the app's build says about its screens: `{"/tasks/$taskId": ["/assets/…", "/api/v1/…"]}`, where `$name`
 * means one segment. An app without it is served all the same; what it names but does not hold is a broken build.
 * @throws ConfigError when it is not of this shape
 */
export function readPreloads(bytes: Buffer | undefined, isHeld: (path: string) => boolean): readonly ScreenPreloads[] {
  if (bytes === undefined) return []
  const said = parse(bytes)
  if (typeof said !== 'object' || said === null) throw broken()
  return Object.entries(said).map(([address, named]: readonly [string, unknown]) => {
    if (!Array.isArray(named) || !named.every((one) => typeof one === 'string')) throw broken()
    const [reads, files] = [named.filter((one) => read.test(one)), named.filter((one) => !read.test(one))]
    if (!files.every((file) => /^[\w/.-]+$/.test(file) && isHeld(file))) throw broken()
    return {
      matches: new RegExp(`^${address.replaceAll(/[.*+?^{}()|[\]\\]/g, '\\$&').replaceAll(/\$\w+/g, '[^/]+')}/?$`),
      files,
      reads,
    }
  })
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw broken(cause)
  }
}

const broken = (cause?: unknown): ConfigError =>
  new ConfigError('preloads.json in SVC_WEB_DIR does not fit the app; build it again', { cause })
