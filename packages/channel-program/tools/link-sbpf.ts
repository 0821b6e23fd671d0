/**
 * Links one BPF object of clang into the shared object that a Solana loader takes (sBPF v0).
 *
 * The loader wants: ELF64, ET_DYN, machine 247, no flags; every section at the address that is its offset in the file;
 * one `.text`, nothing writable; a dynamic table. Of three kinds of references
 *
 * - a call of a function of ours becomes a distance in instructions, which the loader turns into its own key;
 * - a call of the machine (`sol_…`) becomes −1 and a dynamic relocation by name;
 * - the address of a constant becomes absolute: the program's bytes are mapped at 0x100000000.
 *
 * The output depends on the object alone, so the same compiler gives the same bytes.
 */
import { readObject } from './read-object.ts'
import type { ObjectFile, ObjectSymbol, Relocation } from './read-object.ts'

const INSTRUCTION = 8
const PROGRAM_START = 0x1_0000_0000
const HEADER = 64
const PROGRAM_HEADER = 56
const PROGRAM_HEADERS = 3
const R_BPF_64_64 = 1
const R_BPF_64_32 = 10
const FLAG_WRITE = 1
const FLAG_ALLOC = 2
const [SHT_PROGBITS, SHT_STRTAB, SHT_DYNAMIC, SHT_REL, SHT_DYNSYM] = [1, 3, 6, 9, 11]

type Placed = { readonly name: string; readonly offset: number; readonly bytes: Buffer }
type SyscallSite = { readonly offset: number; readonly name: string }

/** @throws Error if the object has what such a program cannot have, such as writable data. */
export function linkSbpf(object: Buffer): Buffer {
  const file = readObject(object)
  refuseWritableData(file)
  const text = file.sections.findIndex(({ name }) => name === '.text')
  const code = Buffer.from(sectionBytes(file, text))
  const constants = placeConstants(file, HEADER + PROGRAM_HEADERS * PROGRAM_HEADER + code.length)
  const syscalls: SyscallSite[] = []
  for (const relocation of file.relocationsOf(text)) {
    if (relocation.type === R_BPF_64_64) patchAddress(code, relocation, constants.addresses)
    else if (relocation.type !== R_BPF_64_32) throw new Error(`relocation of type ${relocation.type} is unknown`)
    else if (relocation.symbol.section === text) patchCall(code, relocation)
    else syscalls.push(syscallSite(code, relocation))
  }
  const entry = file.symbols.find(({ name, section }) => name === 'entrypoint' && section === text)
  if (entry === undefined) throw new Error('the program has no function called entrypoint')
  return assemble(code, constants.bytes, syscalls, entry.value)
}

function refuseWritableData(file: ObjectFile): void {
  const mask = FLAG_WRITE | FLAG_ALLOC
  const bad = file.sections.find(({ flags, bytes }) => (flags & mask) === mask && bytes.length > 0)
  if (bad !== undefined) throw new Error(`${bad.name} is writable: a program keeps its state in accounts`)
}

function sectionBytes(file: ObjectFile, index: number): Buffer {
  const section = file.sections[index]
  if (section === undefined) throw new Error('the object has no .text')
  return section.bytes
}

/** Every section of constants behind the other, from `start`; their addresses by section index. */
function placeConstants(file: ObjectFile, start: number) {
  const addresses = new Map<number, number>()
  const parts: Buffer[] = []
  let end = start
  for (const [index, { name, bytes }] of file.sections.entries()) {
    if (!name.startsWith('.rodata')) continue
    addresses.set(index, PROGRAM_START + end)
    const part = padded(bytes)
    parts.push(part)
    end += part.length
  }
  return { addresses, bytes: Buffer.concat(parts) }
}

/** `lddw` carries 64 bits in the immediates of two instructions. */
function patchAddress(code: Buffer, { offset, symbol }: Relocation, addresses: ReadonlyMap<number, number>): void {
  const base = addresses.get(symbol.section)
  if (base === undefined) throw new Error(`${symbol.name || 'a constant'} is in no section of constants`)
  const address = base + symbol.value + code.readUInt32LE(offset + 4)
  code.writeUInt32LE(address % 2 ** 32, offset + 4)
  code.writeUInt32LE(Math.floor(address / 2 ** 32), offset + INSTRUCTION + 4)
}

/** A named function is called by its symbol alone; one without a name by the section and a distance from its start. */
function patchCall(code: Buffer, { offset, symbol }: Relocation): void {
  const within = symbol.name === '' ? (code.readInt32LE(offset + 4) + 1) * INSTRUCTION : 0
  code.writeInt32LE((symbol.value + within - offset) / INSTRUCTION - 1, offset + 4)
}

function syscallSite(code: Buffer, { offset, symbol }: { offset: number; symbol: ObjectSymbol }): SyscallSite {
  if (symbol.section !== 0 || !symbol.name.startsWith('sol_')) throw new Error(`${symbol.name} is nowhere defined`)
  code.writeInt32LE(-1, offset + 4)
  return { offset, name: symbol.name }
}

function assemble(code: Buffer, constants: Buffer, syscalls: readonly SyscallSite[], entry: number): Buffer {
  const names = [...new Set(syscalls.map(({ name }) => name))].sort()
  const text = place('.text', HEADER + PROGRAM_HEADERS * PROGRAM_HEADER, code)
  const rodata = place('.rodata', endOf(text), constants)
  const dynamicSize = 7 * 16
  const dynsym = place('.dynsym', endOf(rodata) + dynamicSize, symbolTable(names))
  const dynstr = place('.dynstr', endOf(dynsym), stringTable(names))
  const reldyn = place('.rel.dyn', endOf(dynstr), relocationTable(syscalls, names, text.offset))
  const dynamic = place('.dynamic', endOf(rodata), dynamicTable(dynsym, dynstr, reldyn))
  const sections = [text, rodata, dynamic, dynsym, dynstr, reldyn]
  const sectionNames = [...sections.map(({ name }) => name), '.shstrtab']
  const shstrtab = place('.shstrtab', endOf(reldyn), stringTable(sectionNames))
  const headersAt = endOf(shstrtab)
  return Buffer.concat([
    fileHeader(text.offset + entry, headersAt, sections.length + 2),
    programHeader(1, 5, text.offset, text.bytes.length),
    programHeader(1, 4, rodata.offset, endOf(reldyn) - rodata.offset),
    programHeader(2, 4, dynamic.offset, dynamic.bytes.length),
    ...[...sections, shstrtab].map(({ bytes }) => bytes),
    sectionHeaders([...sections, shstrtab]),
  ])
}

function place(name: string, offset: number, bytes: Buffer): Placed {
  return { name, offset, bytes: padded(bytes) }
}

function endOf({ offset, bytes }: Placed): number {
  return offset + bytes.length
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 7)])
}

/** Bytes of 64-bit words. */
function words(...values: readonly (number | bigint)[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8)
  for (const [index, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), index * 8)
  return bytes
}

function stringTable(names: readonly string[]): Buffer {
  return Buffer.from(`\0${names.map((name) => `${name}\0`).join('')}`, 'latin1')
}

/** Where a name begins in the table that `stringTable` writes. */
function nameAt(names: readonly string[], name: string): number {
  return names.slice(0, names.indexOf(name)).reduce((sum, { length }) => sum + length + 1, 1)
}

/** Global, undefined, without a type: the loader asks for nothing but the name. */
function symbolTable(names: readonly string[]): Buffer {
  const entries = names.map((name) => words(BigInt(nameAt(names, name)) | (0x10n << 32n), 0, 0))
  return Buffer.concat([words(0, 0, 0), ...entries])
}

function relocationTable(syscalls: readonly SyscallSite[], names: readonly string[], textAt: number): Buffer {
  return Buffer.concat(
    syscalls.map(({ offset, name }) =>
      words(textAt + offset, (BigInt(names.indexOf(name) + 1) << 32n) | BigInt(R_BPF_64_32)),
    ),
  )
}

function dynamicTable(dynsym: Placed, dynstr: Placed, reldyn: Placed): Buffer {
  return words(
    ...[17, reldyn.offset, 18, reldyn.bytes.length, 19, 16],
    ...[6, dynsym.offset, 5, dynstr.offset, 10, dynstr.bytes.length],
    ...[0, 0],
  )
}

function fileHeader(entry: number, sectionHeadersAt: number, sectionCount: number): Buffer {
  const header = Buffer.alloc(HEADER)
  header.write('\x7fELF\x02\x01\x01', 'latin1')
  header.writeUInt16LE(3, 16)
  header.writeUInt16LE(247, 18)
  header.writeUInt32LE(1, 20)
  header.writeBigUInt64LE(BigInt(entry), 24)
  header.writeBigUInt64LE(BigInt(HEADER), 32)
  header.writeBigUInt64LE(BigInt(sectionHeadersAt), 40)
  const sizes = [HEADER, PROGRAM_HEADER, PROGRAM_HEADERS, 64, sectionCount, sectionCount - 1]
  for (const [index, size] of sizes.entries()) header.writeUInt16LE(size, 52 + index * 2)
  return header
}

function programHeader(type: number, flags: number, offset: number, size: number): Buffer {
  return words(BigInt(type) | (BigInt(flags) << 32n), offset, offset, offset, size, size, 8)
}

function sectionHeaders(sections: readonly Placed[]): Buffer {
  const names = sections.map(({ name }) => name)
  const kinds: Readonly<Record<string, readonly [type: number, flags: number, link: number, entrySize: number]>> = {
    '.text': [SHT_PROGBITS, 6, 0, 0],
    '.rodata': [SHT_PROGBITS, 2, 0, 0],
    '.dynamic': [SHT_DYNAMIC, 2, 5, 16],
    '.dynsym': [SHT_DYNSYM, 2, 5, 24],
    '.dynstr': [SHT_STRTAB, 2, 0, 0],
    '.rel.dyn': [SHT_REL, 2, 4, 16],
    '.shstrtab': [SHT_STRTAB, 0, 0, 0],
  }
  const headers = sections.map(({ name, offset, bytes }) => {
    const [type, flags, link, entrySize] = kinds[name] ?? [0, 0, 0, 0]
    const address = flags === 0 ? 0 : offset
    const info = name === '.dynsym' ? 1n << 32n : 0n
    const kind = BigInt(nameAt(names, name)) | (BigInt(type) << 32n)
    return words(kind, flags, address, offset, bytes.length, BigInt(link) | info, 8, entrySize)
  })
  return Buffer.concat([Buffer.alloc(64), ...headers])
}
