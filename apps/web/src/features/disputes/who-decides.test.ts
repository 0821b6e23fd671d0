import { expect, test } from 'vitest'
import { whoDecides } from './who-decides.ts'

const [publisher, worker, carla, dario] = ['0xA1', '0xB2', '0xC3', '0xD4'] as const
const dispute = { publisher_wallet: publisher, worker_wallet: worker }

test.each([
  ['nobody is named', null, [], 'operator'],
  ['the operator names arbiters', null, ['0xc3', '0xd4'], 'any'],
  ['the only arbiter is a side', null, ['0xb2'], 'operator'],
  ['the task names one of them', carla, ['0xc3', '0xd4'], 'task'],
  ['whom the task names is an arbiter no more', dario, ['0xc3'], 'operator'],
  ['whom the task names is a side', worker, ['0xb2', '0xc3'], 'operator'],
  ['the arbiters are not known yet', null, undefined, 'any'],
] as const)('where %s, it is said who decides', (_, named, arbiters, expected) => {
  expect(whoDecides({ named, arbiters, dispute })).toBe(expected)
})
