import { parties, type Party } from '@ergon/contract'
import { expect, test } from 'vitest'
import { MarketError } from '../errors.ts'
import { partyOf } from './party.ts'

type Word = Party | null

function verdict(via: 'signature' | 'session', known: Word, asked: Word): string {
  try {
    return partyOf(via, known, asked)
  } catch (error) {
    if (error instanceof MarketError) return error.code
    throw error
  }
}

test.each<readonly [known: Word, asked: Word, signing: string, inSession: string]>([
  [null, null, 'agent', 'human'],
  [null, 'agent', 'agent', 'SESSION_NOT_FOR_PARTY'],
  [null, 'robot', 'robot', 'SESSION_NOT_FOR_PARTY'],
  [null, 'human', 'SESSION_REQUIRED', 'human'],
  ['agent', null, 'agent', 'SESSION_NOT_FOR_PARTY'],
  ['robot', null, 'robot', 'SESSION_NOT_FOR_PARTY'],
  ['human', null, 'human', 'human'],
  ['agent', 'robot', 'robot', 'SESSION_NOT_FOR_PARTY'],
  ['robot', 'agent', 'agent', 'SESSION_NOT_FOR_PARTY'],
  ['human', 'agent', 'agent', 'SESSION_NOT_FOR_PARTY'],
  ['agent', 'human', 'SESSION_REQUIRED', 'human'],
  ['robot', 'human', 'SESSION_REQUIRED', 'human'],
  ['human', 'human', 'human', 'human'],
])('a wallet that was %s and names %s is %s by its signature, %s in a session', (known, asked, signing, inSession) => {
  expect([verdict('signature', known, asked), verdict('session', known, asked)]).toEqual([signing, inSession])
})

test('whoever names nothing never changes its party', () => {
  for (const known of parties)
    for (const via of ['signature', 'session'] as const)
      expect([known, 'SESSION_NOT_FOR_PARTY']).toContain(verdict(via, known, null))
})
