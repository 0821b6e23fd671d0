import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { readSettings } from '../deploy/settings-file.ts'
import { guideBlocks } from '../testing/guide.ts'

const folder = mkdtempSync(join(tmpdir(), 'ergon-settings-'))
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const settings = `# as systemd reads it
DATABASE_URL=postgres://ergon:a$b#c@127.0.0.1/ergon?options=-c statement_timeout=5s

SVC_PRIVACY=Mail to privacy@market.example, or *write* "us".
SVC_NETWORKS=base,solana
`

test('a command by hand is given every setting as the unit has it', () => {
  const block = guideBlocks('operators.md').find(({ text }) => text.includes('restore-check'))?.text ?? ''
  writeFileSync(join(folder, 'server.env'), settings)
  const line = block
    .replace('/etc/ergon/server.env', join(folder, 'server.env'))
    .replace(/\/usr\/local\/bin\/node .*restore-check/, `'${process.execPath}' -p 'JSON.stringify(process.env)'`)
  const given: unknown = JSON.parse(execFileSync('bash', ['-c', line], { cwd: folder, encoding: 'utf8' }))
  expect(given).toMatchObject({
    ...Object.fromEntries(readSettings(settings)),
    SVC_DATA_DIR: '/var/lib/ergon',
    SVC_ORDER_SIGNER_KEY_FILE: '/etc/ergon/order-key',
  })
})
