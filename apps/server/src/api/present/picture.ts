import { picturePath } from '../../surroundings/picture-path.ts'

/** Where a picture is; null where there is none. */
export const pictureUrl = (name: string | null): string | null => (name === null ? null : picturePath(name))
