export const services = ["secrets", "cluster", "policy", "admin", "issuer"] as const;

export type Service = (typeof services)[number];
