import { expect, test } from 'vitest'
import { defaultDataDir } from '../constellation/data-folder.ts'
import { startScreen } from './start-screen.ts'

const record = {
  dataDir: defaultDataDir,
  pid: 1,
  paymentMode: 'fase2',
  rpcUrl: 'http://127.0.0.1:8545',
  chainId: 31_337,
  addresses: {},
  wallets: [],
  logs: {},
} as unknown as Parameters<typeof startScreen>[0] // what the screen reads of it

test.each([
  [defaultDataDir, 'npm start -- --reset'],
  ['/elsewhere/it', 'npm start -- --data /elsewhere/it --reset'],
])('what is kept in %s is what the printed command forgets', (dataDir, command) => {
  expect(startScreen({ ...record, dataDir }, 1)).toContain(command)
})
