/** A kind of file that is taken as evidence. */
export type FileKind = {
  /** Endings of its name. The first is the one that the service writes. */
  readonly endings: readonly [string, ...string[]]
  /** How its first 16 bytes look, read as Latin-1. Files that share a container are told apart by its brand. */
  readonly begins: RegExp
  /** Whether all of it is UTF-8 text without NUL. */
  readonly isText: boolean
}

export const evidenceContentTypes = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'application/pdf',
  'video/mp4',
  'video/quicktime',
  'text/plain',
  'application/json',
] as const
/** The media types of files that are taken as evidence. */
export type EvidenceContentType = (typeof evidenceContentTypes)[number]

/** A new media type does not compile until its row is whole. */
export const fileKinds: Readonly<Record<EvidenceContentType, FileKind>> = {
  'image/jpeg': { endings: ['jpg', 'jpeg'], begins: /^\xff\xd8\xff/, isText: false },
  'image/png': { endings: ['png'], begins: /^\x89PNG\r\n\x1a\n/, isText: false },
  'image/webp': { endings: ['webp'], begins: /^RIFF[^]{4}WEBP/, isText: false },
  'image/heic': { endings: ['heic'], begins: /^[^]{4}ftyp(?:hei[cmsx]|hev[cmsx]|mif1|msf1)/, isText: false },
  'application/pdf': { endings: ['pdf'], begins: /^%PDF-/, isText: false },
  'video/mp4': {
    endings: ['mp4'],
    begins: /^[^]{4}ftyp(?:iso[m2-9]|mp4[12]|avc1|M4V |MSNV|dash|f4v )/,
    isText: false,
  },
  'video/quicktime': { endings: ['mov'], begins: /^[^]{4}ftypqt {2}/, isText: false },
  'text/plain': { endings: ['txt'], begins: /^[^]/, isText: true },
  'application/json': { endings: ['json'], begins: /^\s*["[{\-0-9tfn]/, isText: true },
}

/** The kind of a file by its media type; undefined for one that is not taken. */
export function fileKindOf(contentType: string): FileKind | undefined {
  return isEvidenceContentType(contentType) ? fileKinds[contentType] : undefined
}

/** The media type of a file by the ending of its name, without the dot; undefined for one that is not taken. */
export function contentTypeOf(ending: string): EvidenceContentType | undefined {
  return evidenceContentTypes.find((type) => fileKinds[type].endings.includes(ending.toLowerCase()))
}

function isEvidenceContentType(text: string): text is EvidenceContentType {
  return Object.hasOwn(fileKinds, text)
}
