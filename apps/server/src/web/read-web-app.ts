import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { ConfigError } from '../config/config-error.ts'
import { mediaTypeOf } from './media-types.ts'
import { readPreloads, type ScreenPreloads } from './preloads.ts'
import { cardImage, socialTags } from './social-card.ts'
import type { Representation, WebApp, WebFile } from './web-file.ts'

/**
 * What the page is told of the service that serves it, in its own markup: no request, no script of ours in the page.
 */
export type PageSettings = {
  readonly faucet_url: string | null
  readonly terms_url?: string | null
  readonly privacy_url?: string | null
  readonly help_url?: string | null
  readonly on_ramp_url?: string | null
  readonly service_url: string
  /** Where pages may act with a session, separated by blanks: one that is open elsewhere says where to go. */
  readonly session_origins?: string
  readonly version: string
}

const most = { files: 2_000, bytes: 64 * 1024 * 1024 }
const preloadsPath = '/preloads.json'
const plainName = /^[\w@+~-][\w.@+~-]*$/
const settingsTag = /<meta name="ergon-settings" content="[^"]*"/

/**
 * The folder of a built app, read once (decision 0075): what is served later cannot be changed or escaped by a path.
 * Files beside others as `.br` and `.gz` are their compressed forms; what has none is compressed here.
 * @throws ConfigError when the folder holds no app
 */
export async function readWebApp(folder: string, settings: PageSettings): Promise<WebApp> {
  const paths = await pathsBelow(folder)
  const forms = new Set(paths.filter((path) => /\.(?:br|gz)$/.test(path) && paths.includes(path.slice(0, -3))))
  const entryOf = async (path: string): Promise<readonly [string, WebFile]> => {
    const bytes = await readFile(join(folder, path))
    const isPage = path === '/index.html'
    const form = async (ending: string): Promise<Buffer | null> =>
      !isPage && forms.has(path + ending) ? readFile(join(folder, path + ending)) : null
    const given = { br: await form('.br'), gzip: await form('.gz') }
    return [path, await webFile(path, isPage ? withSettings(bytes, settings) : bytes, given)]
  }
  const files = new Map(await Promise.all(paths.filter((path) => !forms.has(path)).map(entryOf)))
  const index = files.get('/index.html')
  if (index === undefined)
    throw new ConfigError('SVC_WEB_DIR holds no index.html; build the app, or leave the setting out')
  return {
    files,
    styleSources: styleSourcesOf(index),
    pageFor: await pagesOf(
      index,
      readPreloads(files.get(preloadsPath)?.identity.body, (path) => files.has(path)),
    ),
  }
}

/** The hash of each style element, so that a page may carry its own and nobody else's (CSP 3 §2.3.1). */
function styleSourcesOf(page: WebFile): readonly string[] {
  const styles = page.identity.body.toString('utf8').matchAll(/<style>([^]*?)<\/style>/g)
  return [...styles].map(([, rules = '']) => `'sha256-${createHash('sha256').update(rules).digest('base64')}'`)
}

/** A page for each screen, which differ in what they name to be loaded; one for every other address. */
async function pagesOf(index: WebFile, screens: readonly ScreenPreloads[]): Promise<WebApp['pageFor']> {
  const markup = index.identity.body.toString('utf8')
  const withLinks = (links: readonly string[]): Promise<WebFile> =>
    webFile('/index.html', Buffer.from(markup.replace('</head>', () => `${links.join('')}</head>`)), {
      br: null,
      gzip: null,
    })
  const pages = await Promise.all(
    screens.map(async ({ matches, files, reads }) => {
      const scripts = files.map((file) => `<link rel="modulepreload" href="${file}" crossorigin>`)
      const answers = reads.map(
        (path) =>
          `<link rel="preload" as="fetch" href="${path.replaceAll('&', '&amp;')}" crossorigin="use-credentials">`,
      )
      const filtered = await withLinks(scripts)
      return { matches, filtered, plain: answers.length === 0 ? filtered : await withLinks([...answers, ...scripts]) }
    }),
  )
  return (path, isFiltered) =>
    pages.find(({ matches }) => matches.test(path))?.[isFiltered ? 'filtered' : 'plain'] ?? index
}

async function pathsBelow(folder: string): Promise<readonly string[]> {
  const found: string[] = []
  let bytes = 0
  const walk = async (below: string): Promise<void> => {
    for (const entry of await entriesOf(join(folder, below))) {
      if (entry.name.startsWith('.')) continue
      const path = `${below}/${entry.name}`
      if (!plainName.test(entry.name))
        throw new ConfigError(`SVC_WEB_DIR holds ${path}, a name that a path cannot say plainly`)
      if (entry.isDirectory()) await walk(path)
      else if (entry.isFile()) {
        bytes += (await stat(join(folder, path))).size
        if (found.push(path) > most.files || bytes > most.bytes)
          throw new ConfigError(
            `SVC_WEB_DIR holds more than ${String(most.files)} files or ` +
              `${String(most.bytes / 1024 / 1024)} MiB; it is no built app`,
          )
      } else throw new ConfigError(`SVC_WEB_DIR holds ${path}, which is neither a file nor a folder`)
    }
  }
  await walk('')
  return found.sort()
}

async function entriesOf(folder: string): ReturnType<typeof entries> {
  try {
    return await entries(folder)
  } catch (cause) {
    throw new ConfigError('SVC_WEB_DIR is no folder that can be read', { cause })
  }
}

const entries = (folder: string) => readdir(folder, { withFileTypes: true })

function withSettings(page: Buffer, settings: PageSettings): Buffer {
  const markup = page.toString('utf8')
  if (!settingsTag.test(markup))
    throw new ConfigError('SVC_WEB_DIR holds an index.html without <meta name="ergon-settings" content="{}">')
  const content = JSON.stringify(settings)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
  const tags = socialTags({
    title: 'Ergon',
    description: 'Post a task with a bounty, prove the work, get paid on chain. 87 % goes to the worker.',
    url: `${settings.service_url}/`,
    imageUrl: `${settings.service_url}${cardImage}`,
  })
  return Buffer.from(
    markup
      .replace(settingsTag, () => `<meta name="ergon-settings" content="${content}"`)
      .replace('</head>', () => `${tags}</head>`),
  )
}

type Forms = { readonly br: Buffer | null; readonly gzip: Buffer | null }

async function webFile(path: string, bytes: Buffer, given: Forms): Promise<WebFile> {
  const { type, shrinks } = mediaTypeOf(path)
  const [br, gz] = shrinks
    ? await Promise.all([given.br ?? asBrotli(bytes), given.gzip ?? asGzip(bytes, { level: 9 })])
    : [given.br, given.gzip]
  const smaller = (form: Buffer | null): Representation | null =>
    form === null || form.length >= bytes.length ? null : represent(form)
  return {
    contentType: type,
    isImmutable: path.startsWith('/assets/'),
    identity: represent(bytes),
    br: smaller(br),
    gzip: smaller(gz),
  }
}

function represent(body: Buffer): Representation {
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}

/**
 * With a window of at most 64 KiB (RFC 7932 §9.1) the encoder keeps little, and a page costs a sixth: there are eighty
 * of them at every start, hardly larger than that.
 */
const windowBits = (length: number): number => (length < 2 ** 17 ? 16 : constants.BROTLI_DEFAULT_WINDOW)

const asGzip = promisify(gzip)
const asBrotli = (bytes: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      [constants.BROTLI_PARAM_LGWIN]: windowBits(bytes.length),
    },
  })
