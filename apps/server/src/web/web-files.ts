import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

/** One file of the app as it is handed out. */
export type WebFile = {
  readonly contentType: string
  readonly bytes: Buffer
  /** By content coding; absent where compressing saves nothing. */
  readonly encoded: Readonly<Partial<Record<'br' | 'gzip', Buffer>>>
  readonly etag: string
  /** Its name changes when its content does. */
  readonly immutable: boolean
}

/** The built app by path, `/assets/x.js`. */
export type WebFiles = ReadonlyMap<string, WebFile>

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.json': 'application/json; charset=utf-8', '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml', '.png': 'image/png', '.webp': 'image/webp', '.ico': 'image/x-icon', '.woff2': 'font/woff2', '.txt': 'text/plain; charset=utf-8', '.pmtiles': 'application/octet-stream', '.geojson': 'application/geo+json',
}
const mostFiles = 2_000
const mostBytes = 64 * 1_048_576
const neighbours = { '.br': 'br', '.gz': 'gzip' } as const
const placeholder = '<meta name="ergon-settings" content="{}" />'

/** What the app is told in its page. */
export type WebSettings = { readonly faucet_url: string | null; readonly version: string }

/**
 * Reads the built app once; later requests touch no disk. The page carries the settings of the deployment.
 *
 * @throws Error when the folder holds no app, or more than an app
 */
export function readWebFiles(folder: string, settings: WebSettings): WebFiles {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const size = paths.reduce((sum, path) => sum + statSync(path).size, 0)
  if (paths.length > mostFiles || size > mostBytes) throw new Error(`${folder} holds ${paths.length} files of ${size} bytes, which is no app`)
  const files = new Map<string, WebFile>()
  for (const path of paths.filter((one) => !(extname(one) in neighbours))) files.set(`/${relative(folder, path).split(sep).join('/')}`, readOne(path, paths))
  const page = files.get('/index.html')
  if (page === undefined) throw new Error(`${folder} holds no index.html`)
  const text = page.bytes.toString('utf8')
  if (!text.includes(placeholder)) throw new Error(`${folder}/index.html has no place for the settings`)
  files.set('/index.html', file('/index.html', Buffer.from(text.replace(placeholder, placeholder.replace('{}', attribute(JSON.stringify(settings))))), {}))
  return files
}

function readOne(path: string, all: readonly string[]): WebFile {
  const encoded: Partial<Record<'br' | 'gzip', Buffer>> = {}
  for (const [ending, coding] of Object.entries(neighbours)) if (all.includes(`${path}${ending}`)) encoded[coding] = readFileSync(`${path}${ending}`)
  return file(path, readFileSync(path), encoded)
}

function file(path: string, bytes: Buffer, encoded: WebFile['encoded']): WebFile {
  const contentType = types[extname(path)] ?? 'application/octet-stream'
  const isText = /^text|json|svg/.test(contentType)
  const shorter = encoded.br ?? (isText ? brotliCompressSync(bytes) : undefined)
  return {
    contentType, bytes,
    encoded: { ...encoded, ...(shorter !== undefined && shorter.length < bytes.length ? { br: shorter } : {}) },
    etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    immutable: path.includes('/assets/'),
  }
}

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
