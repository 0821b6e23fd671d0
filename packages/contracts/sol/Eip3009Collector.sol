// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Errand} from "./Errand.sol";
import {ITokenCollector} from "./ITokenCollector.sol";
import {PaymentInfo} from "./PaymentInfo.sol";
import {SafeToken} from "./SafeToken.sol";

interface IEscrowHash {
    function getHash(PaymentInfo calldata info) external view returns (bytes32);
}

interface IReceiveWithAuthorization {
    function receiveWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        bytes calldata signature
    ) external;
}

/// @notice Collects by a signed EIP-3009 authorization. Its nonce is the payment's hash without the payer, so the
/// signature covers every term of the payment. The data is the signature, of any length (ERC-1271), or wrapped in the
/// call that puts its wallet up (ERC-6492): that call is made first, and the token asks the wallet.
contract Eip3009Collector is ITokenCollector {
    bytes32 private constant WRAPPED = 0x6492649264926492649264926492649264926492649264926492649264926492;

    address public immutable authCaptureEscrow;
    Errand private immutable errand = new Errand();

    error OnlyAuthCaptureEscrow();

    constructor(address escrow) {
        authCaptureEscrow = escrow;
    }

    function collectorType() external pure returns (CollectorType) {
        return CollectorType.Payment;
    }

    /// @notice Pulls the signed `maxAmount`, forwards `amount` and gives the rest back at once.
    function collectTokens(PaymentInfo calldata info, address tokenStore, uint256 amount, bytes calldata data) external {
        if (msg.sender != authCaptureEscrow) revert OnlyAuthCaptureEscrow();
        IReceiveWithAuthorization(info.token).receiveWithAuthorization(
            info.payer, address(this), info.maxAmount, 0, info.preApprovalExpiry, _payerAgnosticHash(info),
            _prepared(data)
        );
        if (info.maxAmount > amount) SafeToken.send(info.token, info.payer, info.maxAmount - amount);
        SafeToken.send(info.token, tokenStore, amount);
    }

    /// Whether the call was of use is seen by whether the wallet then signed: it may have been put up meanwhile.
    function _prepared(bytes calldata data) private returns (bytes memory signature) {
        if (data.length < 32 || bytes32(data[data.length - 32:]) != WRAPPED) return data;
        address factory;
        bytes memory call;
        (factory, call, signature) = abi.decode(data[:data.length - 32], (address, bytes, bytes));
        errand.run(factory, call);
    }

    function _payerAgnosticHash(PaymentInfo memory info) private view returns (bytes32) {
        info.payer = address(0);
        return IEscrowHash(authCaptureEscrow).getHash(info);
    }
}
