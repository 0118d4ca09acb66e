/** Says something to the user. */
export type Log = (level: "info" | "warning", message: string) => void;
