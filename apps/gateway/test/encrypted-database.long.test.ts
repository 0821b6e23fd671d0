import { queryDatabase } from '@ergon/dev-env'
import { startCluster } from '@ergon/dev-env/testing'
import { expect, test } from 'vitest'
import { startChain, startSession, startStage, startUpstream } from './harness.ts'

test('a gateway keeps to the encryption and the options that the URL of its database asks for', async () => {
  await using cluster = await startCluster({ offersTls: true })
  await using chain = await startChain()
  await using upstream = await startUpstream()
  const url = new URL(cluster.encryptedUrl('postgres'))
  url.searchParams.set('options', '-c application_name=sells')
  await using stage = await startStage(chain, upstream.url, { DATABASE_URL: url.href })
  const session = await startSession(chain, stage, 'operator')
  expect((await session.pay('/weather')).status).toBe(200)
  const lines = await queryDatabase(
    cluster.url('postgres'),
    "select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'sells'",
  )
  expect(lines).toEqual([{ ssl: true }])

  const unknown = new URL(url)
  unknown.searchParams.delete('sslrootcert')
  for (const mode of ['require', 'verify-full']) {
    unknown.searchParams.set('sslmode', mode)
    await expect(startStage(chain, upstream.url, { DATABASE_URL: unknown.href })).rejects.toThrow(
      /^the database of DATABASE_URL lets nobody in: self-signed certificate/,
    )
  }
})
