import { queryDatabase } from '@ergon/dev-env'
import { startCluster } from '@ergon/dev-env/testing'
import { expect, test } from 'vitest'
import { aTransfer, exactV2 } from '../src/testing/payments.ts'
import { facilitatorEnv } from './harness-env.ts'
import { createClient, startFacilitator, startFundedChain } from './harness.ts'

test('a facilitator keeps to the encryption and the options that the URL of its database asks for', async () => {
  await using cluster = await startCluster({ offersTls: true })
  const chain = await startFundedChain()
  try {
    const url = new URL(cluster.encryptedUrl('postgres'))
    url.searchParams.set('options', '-c application_name=pays')
    await using service = await startFacilitator(facilitatorEnv(chain.rpcUrl, url.href))
    const { post } = createClient(await service.listen())
    expect((await post('/settle', exactV2(aTransfer()))).status).toBe(200)
    const lines = await queryDatabase(
      cluster.url('postgres'),
      "select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'pays'",
    )
    expect(lines).toEqual([{ ssl: true }])

    const unknown = new URL(url)
    unknown.searchParams.delete('sslrootcert')
    for (const mode of ['require', 'verify-full']) {
      unknown.searchParams.set('sslmode', mode)
      await expect(startFacilitator(facilitatorEnv(chain.rpcUrl, unknown.href))).rejects.toThrow(
        /^the database of DATABASE_URL lets nobody in: self-signed certificate/,
      )
    }
  } finally {
    await chain.stop()
  }
})
