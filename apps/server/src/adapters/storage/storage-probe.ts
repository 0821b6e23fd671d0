import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createBucket, type BucketSettings } from './s3-bucket.ts'

/** Whether evidence can be stored, by storing something and taking it away; asked of the store every so often only. */
export type StorageProbe = () => Promise<boolean>

const content = Buffer.from('ergon')

export function createStorageProbe(settings: {
  readonly dataDir: string
  readonly evidenceBucket?: BucketSettings | null
}): StorageProbe {
  const { evidenceBucket: bucket, dataDir } = settings
  // A bucket takes money for each question.
  return bucket === undefined || bucket === null
    ? every(10_000, () => inFolder(dataDir))
    : every(60_000, () => inBucket(bucket))
}

async function inFolder(folder: string): Promise<void> {
  const file = join(folder, `.writable-${randomUUID()}`)
  await mkdir(folder, { recursive: true })
  await writeFile(file, content)
  await rm(file)
}

async function inBucket(settings: BucketSettings): Promise<void> {
  const bucket = createBucket(settings)
  const object = `health/${randomUUID()}`
  const sha256 = createHash('sha256').update(content).digest('hex')
  await bucket.put(object, content, { contentType: 'text/plain', sha256 })
  await bucket.remove(object)
}

function every(ms: number, attempt: () => Promise<void>): StorageProbe {
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined
  return () => {
    if (asked === undefined || performance.now() - asked.at > ms)
      asked = {
        at: performance.now(),
        answer: attempt().then(
          () => true,
          () => false,
        ),
      }
    return asked.answer
  }
}
