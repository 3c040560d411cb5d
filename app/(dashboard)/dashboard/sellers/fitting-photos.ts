import { type FileLimits, isPhoto } from "@/app/(dashboard)/dashboard/sellers/file-sizes";

/** How a picture is drawn anew: pixels of its longer side, and JPEG's quality. */
export interface Drawing {
  side: number;
  quality: number;
}

/** The best first. All of them leave the small print of a document readable. */
const DRAWINGS: readonly Drawing[] = [
  { side: 2_400, quality: 0.85 },
  { side: 2_400, quality: 0.7 },
  { side: 1_800, quality: 0.7 },
];

type Draw = (file: File, drawing: Drawing) => Promise<Blob | undefined>;
type Chosen = readonly [name: string, file: File];

/**
 * The form with photos as large as its limits let them be: a phone makes larger ones than the server reads. Nothing is
 * touched where all of it fits, nor what this browser cannot draw; what is still too large then is told of as before.
 */
export async function withFittingPhotos(
  form: FormData,
  { each, together }: Pick<FileLimits, "each" | "together">,
  draw: Draw = drawn,
): Promise<FormData> {
  const files = [...form].flatMap(([name, value]): Chosen[] =>
    value instanceof File && value.size > 0 ? [[name, value]] : [],
  );
  if (files.every(([, { size }]) => size <= each) && sizeOf(files) <= together) return form;
  const photos = files.filter(([, file]) => isPhoto(file));
  const others = files.filter((file) => !photos.includes(file));
  const share = Math.min(each, (together - sizeOf(others)) / photos.length);
  const fitting = new FormData();
  for (const [name, value] of form) fitting.append(name, value);
  // One after the other: a phone has memory for one of them.
  for (const [name, photo] of photos) if (photo.size > share) fitting.set(name, await smaller(photo, share, draw));
  return fitting;
}

const sizeOf = (files: readonly Chosen[]): number => files.reduce((sum, [, { size }]) => sum + size, 0);

async function smaller(photo: File, share: number, draw: Draw): Promise<File> {
  let least: Blob = photo;
  for (const drawing of DRAWINGS) {
    const made = await draw(photo, drawing).catch(() => undefined);
    if (!made) break;
    if (made.size < least.size) least = made;
    if (least.size <= share) break;
  }
  return least instanceof File ? least : new File([least], `${photo.name.replace(/\.\w+$/, "")}.jpg`, JPEG);
}

const JPEG = { type: "image/jpeg" };

async function drawn(file: File, { side, quality }: Drawing): Promise<Blob | undefined> {
  if (!keepsPixels()) return undefined;
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const brush = canvas.getContext("2d");
  if (!brush) return undefined;
  // Of what a PNG leaves transparent JPEG would make black.
  brush.fillStyle = "white";
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.imageSmoothingQuality = "high";
  brush.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), JPEG.type, quality));
}

const GRAY = 128;
/** Against being recognized by it, some browsers answer noise instead of what was drawn; a little of it harms nothing. */
const MOST_NOISE = 8;

function keepsPixels(): boolean {
  const canvas = document.createElement("canvas");
  const brush = canvas.getContext("2d");
  if (!brush) return false;
  brush.fillStyle = `rgb(${GRAY} ${GRAY} ${GRAY})`;
  brush.fillRect(0, 0, MOST_NOISE, MOST_NOISE);
  const { data } = brush.getImageData(0, 0, MOST_NOISE, MOST_NOISE);
  return data.every((value, at) => at % 4 === 3 || Math.abs(value - GRAY) <= MOST_NOISE);
}
