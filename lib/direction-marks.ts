/** Characters that turn the reading direction of what stands around them: a name could show itself as another one. */
const MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export const withoutDirectionMarks = (text: string): string => text.replace(MARKS, "");
