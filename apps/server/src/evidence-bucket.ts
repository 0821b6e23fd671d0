import type { AdapterSettings } from './adapters/index.ts'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'

/** The bucket that evidence is kept in, with its key; null where it is a folder. */
export function evidenceBucket(
  { evidenceBucket: bucket }: Config,
  { s3SecretKey }: Secrets,
): NonNullable<AdapterSettings['evidenceBucket']> | null {
  return bucket === null || s3SecretKey === undefined ? null : { ...bucket, secretKey: s3SecretKey }
}
