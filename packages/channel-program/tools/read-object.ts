/** One section of a relocatable file. */
export type Section = {
  readonly name: string
  readonly type: number
  readonly flags: number
  readonly bytes: Buffer
  readonly link: number
  readonly info: number
}

/** A name of the object: where it is defined, by section index; 0 means it is not. */
export type ObjectSymbol = { readonly name: string; readonly section: number; readonly value: number }

/** A place in a section's bytes that names a symbol. */
export type Relocation = { readonly offset: number; readonly type: number; readonly symbol: ObjectSymbol }

/** What the linker needs of an object file. */
export type ObjectFile = {
  readonly sections: readonly Section[]
  readonly symbols: readonly ObjectSymbol[]
  /** The relocations of the section of this index. */
  relocationsOf(section: number): readonly Relocation[]
}

const TYPE_RELOCATABLE = 1
const MACHINE_BPF = 247
const SECTION_HEADER = 64
const SYMBOL = 24
const RELOCATION = 16
const SHT_SYMTAB = 2
const SHT_NOBITS = 8
const SHT_REL = 9

/**
 * Reads an ELF64 relocatable file of the BPF machine, as clang writes it.
 *
 * @throws Error if the bytes are anything else.
 */
export function readObject(file: Buffer): ObjectFile {
  if (file.readUInt32BE(0) !== 0x7f454c46 || file[4] !== 2 || file[5] !== 1)
    throw new Error('not a little-endian ELF64 file')
  if (file.readUInt16LE(16) !== TYPE_RELOCATABLE || file.readUInt16LE(18) !== MACHINE_BPF)
    throw new Error('not a relocatable file for BPF')
  const start = Number(file.readBigUInt64LE(40))
  const headers = Array.from({ length: file.readUInt16LE(60) }, (_, index) =>
    file.subarray(start + index * SECTION_HEADER, start + (index + 1) * SECTION_HEADER),
  )
  const names = contents(file, at(headers, file.readUInt16LE(62)))
  const sections = headers.map((header) => readSection(file, header, names))
  const symbols = readSymbols(sections)
  return { sections, symbols, relocationsOf: (index) => readRelocations(sections, symbols, index) }
}

function contents(file: Buffer, header: Buffer): Buffer {
  if (header.readUInt32LE(4) === SHT_NOBITS) return Buffer.alloc(0)
  const offset = Number(header.readBigUInt64LE(24))
  return file.subarray(offset, offset + Number(header.readBigUInt64LE(32)))
}

function readSection(file: Buffer, header: Buffer, names: Buffer): Section {
  return {
    name: textAt(names, header.readUInt32LE(0)),
    type: header.readUInt32LE(4),
    flags: Number(header.readBigUInt64LE(8)),
    bytes: contents(file, header),
    link: header.readUInt32LE(40),
    info: header.readUInt32LE(44),
  }
}

function readSymbols(sections: readonly Section[]): readonly ObjectSymbol[] {
  const table = sections.find(({ type }) => type === SHT_SYMTAB)
  if (table === undefined) throw new Error('the object has no symbols')
  const names = at(sections, table.link).bytes
  return Array.from({ length: table.bytes.length / SYMBOL }, (_, index) => {
    const entry = table.bytes.subarray(index * SYMBOL, (index + 1) * SYMBOL)
    return {
      name: textAt(names, entry.readUInt32LE(0)),
      section: entry.readUInt16LE(6),
      value: Number(entry.readBigUInt64LE(8)),
    }
  })
}

function readRelocations(
  sections: readonly Section[],
  symbols: readonly ObjectSymbol[],
  target: number,
): readonly Relocation[] {
  return sections
    .filter(({ type, info }) => type === SHT_REL && info === target)
    .flatMap(({ bytes }) =>
      Array.from({ length: bytes.length / RELOCATION }, (_, index) => ({
        offset: Number(bytes.readBigUInt64LE(index * RELOCATION)),
        type: bytes.readUInt32LE(index * RELOCATION + 8),
        symbol: at(symbols, bytes.readUInt32LE(index * RELOCATION + 12)),
      })),
    )
}

function textAt(table: Buffer, offset: number): string {
  return table.toString('latin1', offset, table.indexOf(0, offset))
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new Error(`the object names entry ${index} of a table that has ${items.length}`)
  return item
}
