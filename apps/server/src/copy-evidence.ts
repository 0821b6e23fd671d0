import { openBucketFiles, openFolder } from './adapters/index.ts'
import { createPool, keptFiles } from './adapters/postgres/index.ts'
import { ConfigError } from './config/config-error.ts'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import { evidenceBucket } from './evidence-bucket.ts'

export type CopyReport = {
  readonly copied: number
  /** They were in the bucket before. */
  readonly there: number
  /** Keys of files that are in neither place. */
  readonly missing: readonly string[]
}

const uploadsAtOnce = 200

/**
 * Copies the evidence that was handed in from the data folder into the bucket, where servers find it once the settings
 * name the bucket. What is there already is left as it is, so it may be repeated while servers run.
 * @throws ConfigError where the settings name no bucket
 */
export async function copyEvidence(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'evidenceBucket'>,
  secrets: Pick<Secrets, 's3SecretKey'>,
): Promise<CopyReport> {
  const settings = evidenceBucket(config, secrets)
  if (settings === null)
    throw new ConfigError('set SVC_S3_ENDPOINT and what belongs to it: evidence is copied from SVC_DATA_DIR there')
  const [from, to] = [openFolder(config.dataDir), openBucketFiles(settings)]
  const report = { copied: 0, there: 0, missing: [] as string[] }
  const pool = createPool(config.databaseUrl, { size: 1 })
  try {
    for (let last = ''; ;) {
      const uploads = await keptFiles(pool, last, uploadsAtOnce)
      for (const key of new Set(uploads.flatMap(({ keys }) => keys))) {
        if (await to.holds(key)) report.there += 1
        else if (!(await from.holds(key))) report.missing.push(key)
        else {
          await to.put(key, await from.read(key))
          report.copied += 1
        }
      }
      const end = uploads.at(-1)
      if (end === undefined) return report
      last = end.upload
    }
  } finally {
    await pool.end()
  }
}
