import { expect, test } from 'vitest'
import { faultsOf } from '../../lib/form.ts'
import { profileChanges, profileOf } from './profile-draft.ts'

const kept = {
  display_name: 'Ada',
  bio: 'I walk.',
  avatar_url: 'https://example.org/a.png',
  capabilities: ['walking', 'photo'],
  wallet: '0x1',
}
const known = profileOf(kept)
const executor_id = '018f4ad2-7f3a-7c1e-8b11-0f6d2f9c1a55'

test('the form begins with what is kept, and saving it as it is changes nothing', () => {
  expect(known).toEqual({ name: 'Ada', bio: 'I walk.', avatar: 'https://example.org/a.png', able: 'walking, photo' })
  expect(profileChanges(known, known)).toEqual({})
  expect(profileOf(null)).toEqual({ name: '', bio: '', avatar: '', able: '' })
})

test('another name loses neither words nor picture nor skills, and what was emptied is cleared alone', () => {
  expect(profileChanges(known, { ...known, name: 'Ada L.' })).toEqual({ name: 'Ada L.' })
  const cleared = profileChanges(known, { ...known, bio: ' ', able: '' })
  expect(cleared).toEqual({ bio: null, capabilities: null })
  expect(faultsOf('workers.update', { executor_id, ...cleared })).toEqual({})
})

test('what one can do is kept in small letters without accents, however it was written', () => {
  const changed = profileChanges(known, { ...known, able: 'Inglés, Fotos  walking' })
  expect(changed).toEqual({ capabilities: ['ingles', 'fotos', 'walking'] })
  expect(faultsOf('workers.update', { executor_id, ...changed })).toEqual({})
})
