import { expect, test } from 'vitest'
import { uploadKind, type UploadWords } from './upload-kind.ts'

const nothing: UploadWords = { contentType: null, filename: null, evidenceType: null }

test.each<[string, Partial<UploadWords>, string]>([
  ['nothing was said, so it is a JPEG', {}, 'image/jpeg'],
  ['the media type goes before the name', { contentType: 'image/png', filename: 'gate.pdf' }, 'image/png'],
  ['the ending of the name says it, in any case', { filename: 'gate.of.the.yard.PNG' }, 'image/png'],
  ['a name without an ending of ours says nothing', { filename: 'gate' }, 'image/jpeg'],
  ['the first file that the evidence takes', { evidenceType: 'video' }, 'video/mp4'],
  [
    'what was said, where the evidence takes it',
    { evidenceType: 'document', filename: 'lease.pdf' },
    'application/pdf',
  ],
])('%s', (_name, words, kind) => {
  expect(uploadKind({ ...nothing, ...words })).toBe(kind)
})

test.each<[string, Partial<UploadWords>, string]>([
  ['evidence that is no file has no link', { evidenceType: 'gps' }, 'evidence_type'],
  ['nor has it one for a file', { evidenceType: 'gps', contentType: 'image/png' }, 'evidence_type'],
  ['a photo is no PDF', { evidenceType: 'photo', contentType: 'application/pdf' }, 'content_type'],
  ['nor by its name', { evidenceType: 'photo', filename: 'gate.pdf' }, 'filename'],
])('%s', (_name, words, field) => {
  expect(() => uploadKind({ ...nothing, ...words })).toThrow(
    expect.objectContaining({ code: 'VALIDATION_FAILED', details: expect.objectContaining({ field }) as unknown }),
  )
})
