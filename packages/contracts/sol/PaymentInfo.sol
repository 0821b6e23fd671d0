// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice The terms of one payment. Field order is part of the hash, so it never changes.
struct PaymentInfo {
    address operator;
    address payer;
    address receiver;
    address token;
    uint120 maxAmount;
    uint48 preApprovalExpiry;
    uint48 authorizationExpiry;
    uint48 refundExpiry;
    uint16 minFeeBps;
    uint16 maxFeeBps;
    address feeReceiver;
    uint256 salt;
}
