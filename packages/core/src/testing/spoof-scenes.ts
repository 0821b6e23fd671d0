import type { FileFacts } from '../verification/file-facts.ts'
import type { Fix, InspectedFile, PositionReceipt, VerificationScene } from '../verification/scene.ts'

export const at = (minutes: number): Date => new Date(Date.UTC(2026, 10, 21, 12) + minutes * 60_000)
const gate = { lat: 48.208_21, lng: 16.373_81, radiusM: 500 }
export const north = (metres: number): { readonly lat: number; readonly lng: number } => ({
  lat: gate.lat + metres / 111_195,
  lng: gate.lng,
})
export const fix = (metres: number, change: Partial<Fix> = {}): Fix => ({
  ...north(metres),
  accuracyM: 8,
  at: at(59),
  ...change,
})
export const wandering = (count: number, around = 40): readonly Fix[] =>
  Array.from({ length: count }, (_, index) =>
    fix(around + ((index * 7) % 5) - 2, {
      accuracyM: 6 + (index % 3),
      at: new Date(at(59).getTime() + index * 1_000 + ((index * 37) % 90)),
    }),
  )
export const standing = (count: number): readonly Fix[] =>
  Array.from({ length: count }, (_, index) =>
    fix(40, { at: new Date(at(59).getTime() + index * 1_000 + ((index * 37) % 90)) }),
  )
export const marching = (count: number): readonly Fix[] =>
  Array.from({ length: count }, (_, index) =>
    fix(40 + index, { accuracyM: 5, at: new Date(at(59).getTime() + index * 1_000) }),
  )

export const facts = (change: Partial<FileFacts> = {}): FileFacts => ({
  sha256: 'a'.repeat(64),
  contentType: 'image/jpeg',
  bytes: 2_000_000,
  width: 4_000,
  height: 3_000,
  image: { phash: '0123456789abcdef', variants: [] },
  exif: null,
  aiMarkers: [],
  trouble: null,
  ...change,
})
export const camera = (change: Partial<NonNullable<FileFacts['exif']>> = {}): NonNullable<FileFacts['exif']> => ({
  present: true,
  make: 'Maker',
  model: 'Model',
  software: null,
  takenAt: at(58),
  lat: null,
  lng: null,
  ...change,
})
export const twin = { submissionId: 'earlier', taskId: 'other', executorId: 'another' }
export const photo = (change: Partial<InspectedFile> = {}): InspectedFile => ({
  type: 'photo',
  file: { key: 'k', content_type: change.facts?.contentType ?? 'image/jpeg', bytes: 2_000_000, sha256: 'a'.repeat(64) },
  facts: facts(),
  exactTwins: [],
  nearTwins: [],
  ...change,
})
export const receipt = (metres: number, minutes: number, change: Partial<PositionReceipt> = {}): PositionReceipt => ({
  submissionId: 's',
  taskId: 't',
  ...north(metres),
  accuracyM: 8,
  capturedAt: at(minutes - 1),
  receivedAt: at(minutes),
  ...change,
})

/** Handed in an hour after the assignment, at the gate, with a photo and a dozen fixes. */
export const honestScene: VerificationScene = {
  category: 'physical_presence',
  evidenceRequired: ['photo', 'gps'],
  place: gate,
  assignedAt: at(0),
  deadline: at(24 * 60),
  receivedAt: at(60),
  fix: { ...fix(40), samples: wandering(12) },
  device: { clock: at(60), utcOffsetMin: 60 },
  files: [photo()],
  receipts: [receipt(3_000, 0)],
  review: null,
}
