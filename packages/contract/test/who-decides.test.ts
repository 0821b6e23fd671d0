import { expect, test } from 'vitest'
import { whoDecides } from '@ergon/contract/facts'

const [publisher, worker, carla, dario] = ['0xa1', '0xb2', '0xc3', '0xd4'] as const
const sides = [publisher, worker]

test.each([
  ['nobody is named', null, [], 'operator'],
  ['the operator names arbiters', null, [carla, dario], 'any'],
  ['the only arbiter is a side', null, [worker], 'operator'],
  ['the task names one of them', carla, [carla, dario], 'named'],
  ['whom the task names is an arbiter no more', dario, [carla], 'operator'],
  ['whom the task names is a side', worker, [worker, carla], 'operator'],
] as const)('where %s, it is known who decides', (_, named, arbiters, expected) => {
  expect(whoDecides({ named, arbiters, sides })).toBe(expected)
})
