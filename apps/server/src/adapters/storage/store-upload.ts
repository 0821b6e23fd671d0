import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MarketError } from '@ergon/core'
import { createSniffer } from './sniff.ts'

export type StoredUpload = { readonly bytes: number; readonly sha256: string }

export type StoreOrder = {
  readonly folder: string
  /** Does not exist yet: a link is used once. */
  readonly target: string
  readonly contentType: string
  readonly maxBytes: number
  readonly body: AsyncIterable<Uint8Array>
}

/** Where uploads are written before they are whole. */
export const draftsIn = (folder: string): string => join(folder, '.incoming')

/** Writes beside, then moves the whole folder into place: the move fails where another upload came first. */
export async function storeUpload(order: StoreOrder): Promise<StoredUpload> {
  // Told early, so that a used link costs no traffic; the move below decides.
  if (await exists(order.target)) throw new MarketError('UPLOAD_NOT_ALLOWED')
  const draft = join(draftsIn(order.folder), randomUUID())
  await mkdir(draft, { recursive: true, mode: 0o700 })
  try {
    const stored = await receive(order, join(draft, 'file'))
    await writeWhole(join(draft, 'about.json'), JSON.stringify(stored))
    await moveTo(order.target, draft)
    return stored
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** A folder that is empty may be taken away between its making and its use: then it is made again. */
async function moveTo(target: string, draft: string, attempt = 1): Promise<void> {
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await rename(draft, target)
  } catch (cause) {
    if (isTaken(cause)) throw new MarketError('UPLOAD_NOT_ALLOWED', {}, { cause })
    if (attempt === mostAttempts || !isMissing(cause)) throw cause
    await moveTo(target, draft, attempt + 1)
  }
}

const mostAttempts = 20

async function receive({ body, contentType, maxBytes }: StoreOrder, path: string): Promise<StoredUpload> {
  const hash = createHash('sha256')
  const sniffer = createSniffer(contentType)
  let bytes = 0
  await using file = await open(path, 'wx', 0o600)
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new MarketError('request_body_too_large', { max_bytes: maxBytes })
    hash.update(chunk)
    sniffer.push(chunk)
    await file.writeFile(chunk)
  }
  if (!sniffer.matches()) throw new MarketError('UPLOAD_TYPE_REFUSED', { expected: contentType })
  await file.sync()
  return { bytes, sha256: hash.digest('hex') }
}

async function writeWhole(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(text)
  await file.sync()
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST')
}
