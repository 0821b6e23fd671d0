import type { AdapterSettings } from './adapters/index.ts'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'

/** The bucket that evidence is kept in, with its key; null where it is a folder. */
export function evidenceBucket(
  { evidenceBucket: bucket }: Pick<Config, 'evidenceBucket'>,
  { s3SecretKey }: Pick<Secrets, 's3SecretKey'>,
): NonNullable<AdapterSettings['evidenceBucket']> | null {
  return bucket === null || s3SecretKey === undefined ? null : { ...bucket, secretKey: s3SecretKey }
}
