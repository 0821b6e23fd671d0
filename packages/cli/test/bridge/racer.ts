import { openSigningRecord } from '../../src/bridge/signing-record.ts'

/** Started as a program: adds a line so many times, while there are fewer than so many, and says how often it could. */
const [folder = '', times = '0', most = '0'] = process.argv.slice(2)
const record = openSigningRecord(folder)
let added = 0
for (let round = 0; round < Number(times); round += 1) {
  try {
    record.add((entries) => {
      if (entries.length >= Number(most)) throw new Error('full')
      return {
        at: 1,
        act: 'lock',
        task: 'one',
        amount: '1',
        counted: '1',
        token: null,
        network: null,
        to: null,
        payment: null,
      }
    })
    added += 1
  } catch (error) {
    if (!(error instanceof Error) || error.message !== 'full') throw error
  }
}
process.stdout.write(String(added))
